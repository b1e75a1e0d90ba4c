import assert from 'node:assert/strict';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/make-universe.ts';
import type { SimulatedFeedConfig } from '../../feeds/feed-config.ts';
import type { Ticker } from '../../domain/ticker.ts';
import { silentLog } from '../../lib/log.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { isAlwaysOpen } from './open-feeds.ts';
import { openMarket } from './open-market.ts';
import { clockAt } from '../../../test/support/clock-at.ts';

const simulation: SimulatedFeedConfig = {
  type: 'simulated',
  name: 'demonstration',
  staleAfterMs: 60_000,
  markets: undefined,
  seed: 1,
  updatesPerSecond: 50,
  alwaysOpen: true,
};

test('only a simulation that is always open changes prices outside the hours of the market', async (t) => {
  const saturday = Date.parse('2026-11-21T12:00:00-03:00');
  const push = { type: 'push', name: 'desk', staleAfterMs: 1, markets: undefined } as const;
  for (const [feeds, outcome] of [
    [[simulation], 'accepted'],
    [[{ ...simulation, alwaysOpen: false }], 'off-hours'],
    [[push], 'off-hours'],
    [[], 'off-hours'],
  ] as const) {
    await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
    await using market = await openMarket({
      universe: makeUniverse([{ ticker: 'GGAL' }]),
      store,
      clock: clockAt(() => saturday),
      log: silentLog,
      settleDelayMs: 900_000,
      isAlwaysOpen: isAlwaysOpen({ feeds, directory: '.' }),
    });
    const update = { ticker: 'GGAL' as Ticker, at: saturday, last: 7 };
    assert.deepEqual(await market.ingest.submit([update]), [outcome]);
  }
});
