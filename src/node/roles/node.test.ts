import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { storedQuote } from '../../../test/support/market/stored-quote.ts';
import { testStamp } from '../../../test/support/market/test-change.ts';
import { until } from '../../../test/support/wait.ts';
import type { Board } from '../../board/board.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { silentLog } from '../../lib/reports/log.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';
import { noListeners, type Listeners } from '../listeners/open-listeners.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openPlace } from '../place/open-place.ts';
import { resolveSettings } from '../../config/settings/resolve-settings.ts';
import type { MarketParts } from '../market/producer.ts';
import { Node } from './node.ts';

const ticker = 'GGAL' as Ticker;
const identity = { id: 'one', name: 'here' };
const [day, next] = ['2026-11-18', '2026-11-19'].map((date) => toEpochDay(date as PlainDate));

function partsOf(place: StorePlace, flags: Readonly<Record<string, string>> = {}): MarketParts {
  return {
    universe: makeUniverse([{ ticker }]),
    settings: resolveSettings({ flags: { historyFetch: 'off', ...flags }, environment: {} }),
    feeds: { feeds: [], directory: '.' },
    log: silentLog,
    observer: new Metrics({ version: '0' }).pipeline(),
    place,
  };
}

async function putClose(store: Store, close: number, on = next): Promise<void> {
  const { history } = store;
  if (on === undefined) throw new Error('no day');
  await history.transaction(
    (one) => one.put(ticker, [{ day: on, close, volume: null }]),
    testStamp,
  );
}

/** A place whose stores the test changes, and whose kind may be another one. */
function wrapped(
  place: StorePlace,
  wrap: (store: Store) => Store,
  kind: StorePlace['kind'] = 'sqlite',
): StorePlace {
  return new Proxy(place, {
    get(target, name) {
      if (name === 'kind') return kind;
      if (name === 'open') {
        return async (options: Parameters<StorePlace['open']>[0]) =>
          wrap(await target.open(options));
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}

async function newPlace(t: TestContext): Promise<StorePlace> {
  return openPlace(await temporaryDirectory(t));
}

function shownBy(node: Node): Board {
  return node.market.board;
}

test('a reload while the database is down is refused, and nothing changes', async (t) => {
  await using directory = await newPlace(t);
  await using store = await directory.open({ mode: 'create' });
  await store.quotes.commit({ quotes: [storedQuote(ticker, 2)], closes: [] });
  let isDown = false;
  const readNewer: Store['quotes']['readNewer'] = (version) =>
    isDown
      ? Promise.reject(new StoreFault('unavailable', 'down'))
      : store.quotes.readNewer(version);
  const place = wrapped(
    directory,
    (one) => ({ ...one, quotes: { ...one.quotes, readNewer } }),
    'postgres',
  );
  const parts = partsOf(place, { role: 'serve' });
  let shows = 0;
  const listeners = { ...noListeners, show: async () => void (shows += 1) };
  await using node = await Node.open({ node: identity, parts });
  await node.serve(async () => listeners);
  const versionShown = (): number | undefined => {
    const board = shownBy(node);
    return board.quote(board.universe.get(ticker))?.version;
  };
  isDown = true;
  await assert.rejects(node.reload(parts), { code: 'unavailable' });
  assert.deepEqual([versionShown(), shows], [2, 0]);
  isDown = false;
  await node.reload({ ...parts, universe: makeUniverse([{ ticker }, { ticker: 'ALUA' }]) });
  assert.deepEqual([versionShown(), shows], [2, 1]);
});

test('a demonstration that could not be replaced is shown unchanged, and the next attempt replaces it', async (t) => {
  await using place = await newPlace(t);
  let fails = 0;
  let isFailing = true;
  const listeners: Listeners = {
    ...noListeners,
    show: async () => {
      if (!isFailing) return;
      fails += 1;
      throw new Error('not this time');
    },
  };
  await using node = await Node.open({ node: identity, parts: partsOf(place) });
  await node.serve(async () => listeners);
  const before = shownBy(node);
  await node.replaceDemonstration();
  assert.deepEqual([node.isSimulated, fails], [true, 0], 'no real data exists');

  await using store = await place.open({ mode: 'write' });
  await putClose(store, 100);
  await assert.rejects(node.replaceDemonstration(), /not this time/);
  assert.ok(node.isSimulated && shownBy(node) === before);
  isFailing = false;
  await node.replaceDemonstration();
  assert.equal(node.isSimulated, false);
  const board = shownBy(node);
  const lastShown = () => board.quote(board.universe.get(ticker));
  const real = lastShown() ?? assert.fail();
  assert.equal(real.last, 100);
  // The demonstration still runs while the real market is shown for the first time.
  node.publish([{ ...real, last: 11_596, version: real.version + 1 }], true);
  assert.equal(lastShown()?.last, 100);
});

test('after a reload whose market cannot be opened, the shown market continues', async (t) => {
  let isFailing = false;
  await using directory = await newPlace(t);
  const place = wrapped(directory, (store) => ({
    ...store,
    quotes: {
      ...store.quotes,
      readAll: () => {
        if (!isFailing) return store.quotes.readAll();
        isFailing = false;
        return Promise.reject(new StoreFault('unavailable', 'not this time'));
      },
    },
  }));
  const parts = partsOf(place, { demonstration: 'off' });
  let shows = 0;
  const listeners = { ...noListeners, show: async () => void (shows += 1) };
  await using node = await Node.open({ node: identity, parts });
  await node.serve(async () => listeners);
  const before = shownBy(node);
  isFailing = true;
  await assert.rejects(node.reload(parts), { code: 'unavailable' });
  assert.equal(shows, 0);
  assert.ok(shownBy(node) === before);
  await using store = await directory.open({ mode: 'write' });
  await putClose(store, 100);
  await until(
    'it shows a later change',
    () => before.quote(before.universe.get(ticker))?.last === 100,
  );
});

test('caches of history are notified before the quotes change', async (t) => {
  await using place = await newPlace(t);
  await using node = await Node.open({
    node: identity,
    parts: partsOf(place, { demonstration: 'off' }),
  });
  await node.serve(async () => noListeners);
  const events: unknown[] = [];
  const { revisions, board } = node.market;
  const before = revisions.of(ticker);
  board.subscribe((quotes) => {
    events.push([revisions.of(ticker) > before, ...quotes.map(({ last }) => last)]);
  });
  await using store = await place.open({ mode: 'write' });
  await putClose(store, 100, day);
  await until('both', () => events.length >= 1);
  assert.deepEqual(events, [[true, 100]]);
});

test('no response that was cached before damage was found is sent after it', async (t) => {
  await using place = await newPlace(t);
  await using node = await Node.open({
    node: identity,
    parts: partsOf(place, { demonstration: 'off' }),
  });
  await node.serve(async () => noListeners);
  const { revisions } = node.market;
  const before = revisions.of(ticker);
  place.damage.found(new StoreFault('corrupt', 'a page is damaged'));
  assert.ok(revisions.of(ticker) > before);
});
