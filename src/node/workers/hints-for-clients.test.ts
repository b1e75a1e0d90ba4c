import assert from 'node:assert/strict';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { silentLog } from '../../lib/reports/log.ts';
import type { StoreHint } from '../../store/contract/store.ts';
import { openMarket } from '../market/market.ts';
import { openPlace } from '../place/open-place.ts';
import { HintsForClients } from './hints-for-clients.ts';

test('a store is watched only while clients are connected, and read at the first connection', () => {
  const watching = new Set<(what: StoreHint) => void>();
  const clients = new HintsForClients();
  const hints = clients.of({
    subscribe: (onHint) => {
      watching.add(onHint);
      return { [Symbol.dispose]: () => void watching.delete(onHint) };
    },
  });
  let hinted = 0;
  const subscription = hints.subscribe(() => void (hinted += 1));
  assert.deepEqual([watching.size, hinted], [0, 0]);
  clients.connectionsChanged(1);
  clients.connectionsChanged(2);
  assert.deepEqual([watching.size, hinted], [1, 1]);
  for (const onHint of watching) onHint('quotes');
  assert.equal(hinted, 2);
  clients.connectionsChanged(1);
  assert.equal(watching.size, 1);
  clients.connectionsChanged(0);
  assert.equal(watching.size, 0);
  clients.connectionsChanged(1);
  subscription[Symbol.dispose]();
  clients.connectionsChanged(0);
  clients.connectionsChanged(1);
  assert.deepEqual([watching.size, hinted], [0, 3]);
});

test('a market without clients subscribes to nothing that polls its store', async (t) => {
  await using place = openPlace(await temporaryDirectory(t));
  await using store = await place.open({ mode: 'create' });
  let subscriptions = 0;
  const hints = {
    subscribe: () => {
      subscriptions += 1;
      return { [Symbol.dispose]: () => void (subscriptions -= 1) };
    },
  };
  const clients = new HintsForClients();
  await using _ = await openMarket({
    place,
    store: { ...store, hints },
    universe: makeUniverse([{ ticker: 'A' }]),
    log: silentLog,
    intradaySessions: 0,
    hints: clients.of(hints),
    sources: () => undefined,
  });
  assert.equal(subscriptions, 0);
  clients.connectionsChanged(1);
  assert.ok(subscriptions > 0);
  clients.connectionsChanged(0);
  assert.equal(subscriptions, 0);
});
