import assert from 'node:assert/strict';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { storedQuote } from '../../../test/support/market/stored-quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { silentLog } from '../../lib/reports/log.ts';
import type { QuoteStore } from '../../store/contract/quote-store.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { noListeners } from '../listeners/open-listeners.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openPlace } from '../place/open-place.ts';
import { resolveSettings } from '../../config/settings/resolve-settings.ts';
import type { ServedParts } from './arrangement.ts';
import { ClusterNode } from './cluster-node.ts';

const ticker = 'GGAL' as Ticker;

test('a reload while the database is down is refused, and nothing changes', async (t) => {
  await using place = openPlace(await temporaryDirectory(t));
  await using store = await place.open({ mode: 'create' });
  await store.quotes.commit({ quotes: [storedQuote(ticker, 2)], closes: [] });

  let isDown = false;
  const quotes: QuoteStore = {
    readAll: () => store.quotes.readAll(),
    commit: (commit) => store.quotes.commit(commit),
    readNewer: (version) =>
      isDown
        ? Promise.reject(new StoreFault('unavailable', 'down'))
        : store.quotes.readNewer(version),
  };
  const { history, actions, indices, terms, memory, bars, hints } = store;
  const parts: ServedParts = {
    universe: makeUniverse([{ ticker }]),
    settings: resolveSettings({ flags: {}, environment: {} }),
    feeds: { feeds: [], directory: '.' },
    log: silentLog,
    observer: new Metrics({ version: '0' }).pipeline(),
    place,
  };
  let shows = 0;
  const listeners = { ...noListeners, show: async () => void (shows += 1) };
  await using node = await ClusterNode.open(
    {
      instance: 'one',
      parts,
      store: { history, actions, indices, terms, memory, bars, hints, quotes },
      writer: undefined,
      clock: systemClock,
    },
    async () => listeners,
  );
  const versionShown = (): number | undefined => {
    const { board } = node.measured;
    return board.quote(board.universe.get(ticker))?.version;
  };
  isDown = true;
  await assert.rejects(node.reload(parts), { code: 'unavailable' });
  assert.deepEqual([versionShown(), shows], [2, 0]);
  isDown = false;
  await node.reload({ ...parts, universe: makeUniverse([{ ticker }, { ticker: 'ALUA' }]) });
  assert.deepEqual([versionShown(), shows], [2, 1]);
});
