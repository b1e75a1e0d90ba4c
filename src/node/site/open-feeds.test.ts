import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { pushType } from '../../feeds/push/index.ts';
import { simulatedType } from '../../feeds/simulated/index.ts';
import type { SimulatedConfig } from '../../feeds/simulated/simulated-config.ts';
import { universeFor } from './open-feeds.ts';

const simulation: SimulatedConfig = {
  type: 'simulated',
  name: 'demonstration',
  staleAfterSeconds: 60,
  seed: 1,
  updatesPerSecond: 50,
  alwaysOpen: true,
};

test('only a simulation with alwaysOpen opens the markets all day', () => {
  const universe = makeUniverse([{ ticker: 'GGAL' }]);
  const push = { type: 'push', name: 'desk', staleAfterSeconds: 1 } as const;
  for (const feeds of [
    [{ type: simulatedType, config: { ...simulation, alwaysOpen: false } }],
    [{ type: pushType, config: push }],
    [],
  ]) {
    assert.equal(universeFor({ feeds, directory: '.' }, universe), universe);
  }
  const feeds = [{ type: simulatedType, config: simulation }];
  const { markets } = universeFor({ feeds, directory: '.' }, universe);
  assert.equal(markets.get('BYMA')?.weekdays.size, 7);
});
