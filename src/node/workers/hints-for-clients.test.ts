import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { StoreHint } from '../../store/contract/store.ts';
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
