import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import type { ApiKeyRecord } from '../../domain/access/api-key.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { noHints } from '../../store/contract/store.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { resolveSettings } from '../../config/settings/resolve-settings.ts';
import { deferred } from '../../../test/support/wait.ts';
import { keepKeys } from './keep-keys.ts';

const record: ApiKeyRecord = {
  id: 'k',
  name: 'k',
  scope: 'read',
  sha256: 'f'.repeat(64),
  createdAt: 0,
};

/** A store of keys that the test makes fail, and a clock that it sets. */
function rig({ staleMaxMs = 60_000 }: { readonly staleMaxMs?: number } = {}) {
  const state = { now: 1_000, isDown: false };
  const down = new StoreFault('unavailable', 'down');
  const store = {
    revision: async () => (state.isDown ? Promise.reject(down) : 1),
    readAll: async () => (state.isDown ? Promise.reject(down) : { revision: 1, keys: [record] }),
    noteUses: async () => undefined,
  };
  const open = () =>
    keepKeys(store, {
      hints: noHints,
      log: silentLog,
      clock: { monotonic: () => state.now },
      staleMaxMs,
    });
  return { state, open };
}

test('keys that the store no longer confirms are valid for a limited time, and again once it responds', async () => {
  const { state, open } = rig();
  await using kept = await open();
  const { ring } = kept;
  assert.equal(ring.isLive(record, 0), true);
  state.isDown = true;
  state.now += 60_000;
  await assert.rejects(kept.catchUp(), { code: 'unavailable' });
  assert.deepEqual([ring.isUnconfirmed, ring.isLive(record, 0)], [false, true]);
  state.now += 1;
  await assert.rejects(kept.catchUp(), { code: 'unavailable' });
  assert.deepEqual([ring.isUnconfirmed, ring.isLive(record, 0)], [true, false]);
  state.isDown = false;
  await kept.catchUp();
  assert.deepEqual([ring.isUnconfirmed, ring.isLive(record, 0)], [false, true]);
});

test('a slow read of earlier keys does not replace those of a later one', async () => {
  const revoked = { ...record, revokedAt: 1 };
  const slow = deferred<void>();
  const started = deferred<void>();
  const reads = [
    async () => ({ revision: 1, keys: [record] }),
    async () => {
      started.resolve();
      await slow.promise;
      return { revision: 2, keys: [record] };
    },
    async () => ({ revision: 3, keys: [revoked] }),
  ];
  let revision = 1;
  const store = {
    revision: async () => revision,
    readAll: () => reads.shift()?.() ?? assert.fail('read once more'),
    noteUses: async () => undefined,
  };
  const clock = { monotonic: () => 0 };
  const options = { hints: noHints, log: silentLog, clock, staleMaxMs: 60_000 };
  await using kept = await keepKeys(store, options);
  revision = 2;
  const earlier = kept.catchUp();
  await started.promise;
  revision = 3;
  const later = kept.catchUp();
  // The later read ends now, unless it waits for the earlier one.
  await setImmediate();
  slow.resolve();
  await Promise.all([earlier, later]);
  assert.equal(kept.ring.isLive(record, 0), false);
});

test('a key that another connection has stored is known after a catch-up, before any hint of it', async () => {
  let stored: readonly ApiKeyRecord[] = [];
  const store = {
    revision: async () => 0,
    readAll: async () => ({ revision: stored.length, keys: stored }),
    noteUses: async () => undefined,
  };
  const clock = { monotonic: () => 0 };
  const options = { hints: noHints, log: silentLog, clock, staleMaxMs: 60_000 };
  await using kept = await keepKeys(store, options);
  stored = [record];
  await kept.catchUp();
  assert.equal(kept.ring.isLive(record, 0), true);
});

test('a start without the store is refused', async () => {
  const { state, open } = rig();
  state.isDown = true;
  await assert.rejects(open(), { code: 'unavailable' });
});

test('with the default settings, keys are valid during an outage of a quarter of an hour', async () => {
  const { keysStaleMaxSeconds } = resolveSettings({ flags: {}, environment: {} });
  const { state, open } = rig({ staleMaxMs: keysStaleMaxSeconds * 1_000 });
  await using kept = await open();
  state.isDown = true;
  state.now += 15 * 60_000;
  await assert.rejects(kept.catchUp(), { code: 'unavailable' });
  assert.equal(kept.ring.isLive(record, 0), true);
});
