import assert from 'node:assert/strict';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { pushType } from '../../feeds/push/index.ts';
import { simulatedType } from '../../feeds/simulated/index.ts';
import type { SimulatedConfig } from '../../feeds/simulated/simulated-config.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { isAlwaysOpen } from './open-feeds.ts';
import { openPipeline } from './open-pipeline.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';

const simulation: SimulatedConfig = {
  type: 'simulated',
  name: 'demonstration',
  staleAfterSeconds: 60,
  seed: 1,
  updatesPerSecond: 50,
  alwaysOpen: true,
};

test('only a simulation that is always open changes prices outside the hours of the market', async (t) => {
  const saturday = Date.parse('2026-11-21T12:00:00-03:00');
  const push = { type: 'push', name: 'desk', staleAfterSeconds: 1 } as const;
  const sleeping = { ...simulation, alwaysOpen: false };
  for (const [feeds, outcome] of [
    [[{ type: simulatedType, config: simulation }], 'accepted'],
    [[{ type: simulatedType, config: sleeping }], 'off-hours'],
    [[{ type: pushType, config: push }], 'off-hours'],
    [[], 'off-hours'],
  ] as const) {
    await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
    await using market = await openPipeline({
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
