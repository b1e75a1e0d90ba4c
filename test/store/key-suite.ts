import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { ApiKeyRecord } from '../../src/domain/api-key.ts';
import type { StoreFaultCode } from '../../src/store/store-fault.ts';
import { StoreFault } from '../../src/store/store-fault.ts';
import { al30, close, put } from './close-samples.ts';
import type { MakePlace } from './store-place.ts';

/** What every store guarantees about API keys. */
export function testKeys(name: string, makePlace: MakePlace): void {
  describe(`${name}: keys`, () => {
    test('keys come back whole and in order of creation', async (t) => {
      const place = await makePlace(t);
      const keys = [
        apiKey('z', { name: 'Ñandú S.A. ✓', expiresAt: 4_102_444_800_000 }),
        apiKey('a', { scope: 'ingest' }),
        apiKey('m', { scope: 'metrics', revokedAt: 1_800_000_000_123 }),
      ];
      {
        await using store = await place.open();
        for (const key of keys) await store.keys.insert(key);
      }
      await using store = await place.open();
      assert.deepEqual((await store.keys.readAll()).keys, keys);
    });

    test('an id or a hash that is there already is a conflict', async (t) => {
      await using store = await (await makePlace(t)).open();
      const key = apiKey('a');
      await store.keys.insert(key);
      const before = await store.keys.readAll();
      const twin = apiKey('b');
      await rejectsWith(store.keys.insert({ ...twin, id: key.id }), 'conflict');
      await rejectsWith(store.keys.insert({ ...twin, sha256: key.sha256 }), 'conflict');
      assert.deepEqual(await store.keys.readAll(), before);
    });

    test('a revoked key says when, and the first revocation stands', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.keys.insert(apiKey('a'));
      assert.equal(await store.keys.revoke('a', 1_900_000_000_000), true);
      assert.equal(await store.keys.revoke('a', 2_000_000_000_000), true);
      const { keys } = await store.keys.readAll();
      assert.deepEqual(keys, [apiKey('a', { revokedAt: 1_900_000_000_000 })]);
    });

    test('to revoke a key that is not there gives false', async (t) => {
      await using store = await (await makePlace(t)).open();
      const revision = await store.keys.revision();
      assert.equal(await store.keys.revoke('nobody', 1), false);
      assert.equal(await store.keys.revision(), revision);
    });

    test('the revision rises with every change, by whatever process', async (t) => {
      const place = await makePlace(t);
      await using server = await place.open();
      await using cli = await place.open();
      const seen = [await server.keys.revision()];
      await cli.keys.insert(apiKey('a'));
      seen.push(await server.keys.revision());
      await cli.keys.revoke('a', 1_900_000_000_000);
      seen.push(await server.keys.revision());
      assert.ok(seen[0] !== undefined && seen[1] !== undefined && seen[2] !== undefined);
      assert.ok(seen[0] < seen[1] && seen[1] < seen[2], String(seen));
      assert.equal(await server.keys.revision(), seen[2], 'and with nothing else');
      assert.equal((await server.keys.readAll()).revision, seen[2]);
    });

    test('a change of keys is no change of history, nor the other way round', async (t) => {
      await using store = await (await makePlace(t)).open();
      const history = (await store.history.changesSince(0)).revision;
      await store.keys.insert(apiKey('a'));
      assert.equal((await store.history.changesSince(0)).revision, history);
      const keys = await store.keys.revision();
      await put(store, al30, [close('2026-05-04', 1)]);
      assert.equal(await store.keys.revision(), keys);
    });
  });
}

function apiKey(id: string, more: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return {
    id,
    name: `key ${id}`,
    scope: 'read',
    sha256: id.charCodeAt(0).toString(16).padStart(64, '0'),
    createdAt: 1_790_000_000_000,
    ...more,
  };
}

async function rejectsWith(promise: Promise<unknown>, code: StoreFaultCode): Promise<void> {
  await assert.rejects(promise, (error) => error instanceof StoreFault && error.code === code);
}
