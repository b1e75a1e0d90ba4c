/** The writing part of a node, over data directories: the claim behaves as that of a database. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { deferred, until, within } from '../../../test/support/wait.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { versionFloor } from '../../domain/values/version-floor.ts';
import { silentLog, type Log } from '../../lib/reports/log.ts';
import type { StorePlace, WriterClaim } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openPlace } from '../place/open-place.ts';
import { resolveSettings } from '../../config/settings/resolve-settings.ts';
import type { MarketParts } from '../market/producer.ts';
import { NodeWriter } from './writer.ts';

const ticker = 'BTC' as Ticker;
const universe = makeUniverse([{ ticker, market: 'CRIPTO' }]);

function partsOf(place: StorePlace, log: Log = silentLog): MarketParts {
  const settings = resolveSettings({ flags: { historyFetch: 'off' }, environment: {} });
  const observer = new Metrics({ version: '0' }).pipeline();
  return { universe, settings, feeds: { feeds: [], directory: '.' }, log, observer, place };
}

function startWriter(parts: MarketParts, id: string): NodeWriter & { readonly shown: Quote[] } {
  const shown: Quote[] = [];
  const publish = (quotes: readonly Quote[]): void => void shown.push(...quotes);
  const writer = new NodeWriter({
    node: { id, name: 'here' },
    parts,
    publish,
    catchUp: async () => undefined,
  });
  writer.compete();
  return Object.assign(writer, { shown });
}

async function push(writer: NodeWriter, last: number): Promise<void> {
  await until('it writes', () => writer.producer !== undefined);
  await writer.producer?.pipeline.ingest.submit([{ ticker, at: Date.now(), last }]);
}

const down = (): Promise<never> => Promise.reject(new StoreFault('unavailable', 'down'));

/** A place whose claim the test can take away, and whose stores the test can make fail. */
function wrapped(place: StorePlace) {
  const state = {
    isDown: false,
    lose: (_fault: StoreFault): void => undefined,
    opens: 0,
    reads: 0,
    /** What a read of the quotes waits for. */
    reading: Promise.resolve(),
  };
  const wrap = (store: Store): Store => ({
    ...store,
    history: store.history,
    quotes: {
      readAll: async () => {
        state.reads += 1;
        await state.reading;
        return state.isDown ? down() : store.quotes.readAll();
      },
      readNewer: (version) => store.quotes.readNewer(version),
      commit: (commit) => store.quotes.commit(commit),
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  });
  const tried = new Proxy(place, {
    get(target, name) {
      if (name === 'claim') {
        return async (...args: Parameters<StorePlace['claim']>): Promise<WriterClaim> => {
          const claim = await target.claim(...args);
          const losing = new AbortController();
          state.lose = (fault) => losing.abort(fault);
          return new Proxy(claim, {
            get: (own, key) => {
              if (key === 'lost') return losing.signal;
              const value: unknown = Reflect.get(own, key, own);
              return typeof value === 'function' ? (value as () => unknown).bind(own) : value;
            },
            getPrototypeOf: (own) => Reflect.getPrototypeOf(own),
          });
        };
      }
      if (name === 'open') {
        return async (options: Parameters<StorePlace['open']>[0]): Promise<Store> => {
          state.opens += 1;
          if (state.isDown) return down();
          const { claim: _, ...rest } = options;
          return wrap(await target.open(rest));
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
  return { place: tried, state };
}

async function newPlace(t: TestContext): Promise<StorePlace> {
  return openPlace(await temporaryDirectory(t));
}

test('a writer continues from the stored quotes, shows them first, and assigns versions above all that were lost', async (t) => {
  const place = await newPlace(t);
  const begun = Date.now();
  {
    await using one = startWriter(partsOf(place), 'one');
    await push(one, 1);
    assert.ok((one.shown.at(-1)?.version ?? 0) >= versionFloor(begun));
  }
  await using two = startWriter(partsOf(place), 'two');
  await until('it writes', () => two.producer !== undefined);
  assert.deepEqual(
    two.shown.map(({ last }) => last),
    [1],
    'the restored quote is shown before any new one',
  );
  await push(two, 2);
  const versions = two.shown.map(({ version }) => version);
  assert.deepEqual(
    versions,
    versions.toSorted((a, b) => a - b),
  );
});

test('the next candidate writes as soon as the writer before is disposed', async (t) => {
  const place = await newPlace(t);
  const one = startWriter(partsOf(place), 'one');
  await push(one, 1);
  await using two = startWriter(partsOf(place), 'two');
  await until('it stands by', () => two.holder !== undefined);
  assert.equal(two.producer, undefined);
  await one[Symbol.asyncDispose]();
  assert.equal(one.producer, undefined);
  await push(two, 2);
});

test('a writer that loses the claim stops storing at once, and writes again when it gets the claim', async (t) => {
  const { place, state } = wrapped(await newPlace(t));
  await using writer = startWriter(partsOf(place), 'one');
  await push(writer, 1);
  const before = writer.producer;
  const fault = new StoreFault('fenced', 'another node has the claim');
  state.lose(fault);
  assert.ok(before !== undefined);
  await assert.rejects(before.pipeline.ingest.submit([{ ticker, at: Date.now(), last: 2 }]), fault);
  await until('it writes again', () => writer.producer !== undefined && writer.producer !== before);
  await push(writer, 3);
});

test('a reload that waits for a database that is down does not delay the stop', async (t) => {
  const { place, state } = wrapped(await newPlace(t));
  const parts = partsOf(place);
  await using writer = startWriter(parts, 'one');
  await push(writer, 1);
  state.isDown = true;
  const renewed = assert.rejects(writer.renew(parts), { code: 'unavailable' });
  await within('stopped', writer[Symbol.asyncDispose]());
  await renewed;
});

test('a reload while the market opens applies to it', async (t) => {
  const { place, state } = wrapped(await newPlace(t));
  const parts = partsOf(place);
  const reading = deferred<void>();
  state.reading = reading.promise;
  await using writer = startWriter(parts, 'one');
  await until('it opens', () => state.reads === 1);
  const renewed = writer.renew({ ...parts, universe: makeUniverse([{ ticker: 'ETH' }]) });
  reading.resolve();
  await renewed;
  await until('it writes', () => writer.producer !== undefined);
  const shown = writer.producer?.pipeline.board.universe.instruments.map((one) => one.ticker);
  assert.deepEqual(shown, ['ETH']);
});

test('a writer that cannot open its store tries again after growing pauses, and logs few of the failures', async (t) => {
  const { place, state } = wrapped(await newPlace(t));
  state.isDown = true;
  const failures: unknown[] = [];
  const error = (details: object): void =>
    void failures.push((details as { readonly failures?: number }).failures);
  await using _ = startWriter(partsOf(place, { ...silentLog, error }), 'one');
  await until('two failures', () => failures.length >= 2);
  assert.deepEqual(failures, [1, 2]);
  assert.equal(state.opens, 2);
});
