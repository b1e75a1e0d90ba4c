import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { ApiKeyRecord } from '../../../src/domain/access/api-key.ts';
import type { KeyChange } from '../../../src/domain/access/key-change.ts';
import type { KeyChangeOutcome } from '../../../src/store/contract/key-store.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { StoreFault, type StoreFaultCode } from '../../../src/store/contract/store-fault.ts';
import { al30, close, put } from '../close-samples.ts';
import type { MakePlace } from '../store-place.ts';
import { fieldsIn } from '../../support/fields-in.ts';

/** The guarantees of every store about API keys. */
export function testKeys(name: string, makePlace: MakePlace): void {
  describe(`${name}: keys`, () => {
    test('restored keys and lines of the audit log are as they were, and readers see them', async (t) => {
      const content = {
        keys: [
          apiKey('z', { revokedAt: 1_800_000_000_123, lastUsedAt: 1_799_998_800_000 }),
          apiKey('a', { labels: { team: 'desk' }, replaces: 'z', family: 'z' }),
        ],
        events: [
          { at: 5, who: 'ñ', what: 'create', keyId: 'z', detail: 'of z' },
          { at: 3, who: 'serve', what: 'revoke', keyId: 'z', detail: '' },
        ],
      } as const;
      await using store = await (await makePlace(t)).open();
      const before = await store.keys.revision();
      await store.keys.restore(content);
      assert.ok((await store.keys.revision()) > before);
      assert.deepEqual((await store.keys.readAll()).keys, content.keys);
      const max = Number.MAX_SAFE_INTEGER;
      assert.deepEqual(await store.keys.readEvents({ max }), content.events);
      await rejectsWith(store.keys.restore({ keys: [apiKey('n')], events: [] }), 'conflict');
      assert.deepEqual((await store.keys.readAll()).keys, content.keys);
    });

    test('keys are read back with all fields, in order of creation', async (t) => {
      const place = await makePlace(t);
      const keys = [
        apiKey('z', { name: 'Ñandú S.A. ✓', expiresAt: 4_102_444_800_000 }),
        apiKey('a', { scope: 'ingest' }),
        apiKey('m', { scope: 'metrics', revokedAt: 1_800_000_000_123 }),
        apiKey('l', {
          disabledAt: 1_800_000_000_000,
          labels: { team: 'desk', env: 'prod' },
          plan: 'free',
          limit: { requests: 60, seconds: 60, burst: 20 },
          replaces: 'a',
          family: 'a',
          lastUsedAt: 1_799_998_800_000,
        }),
        apiKey('u', { limit: 'unlimited' }),
      ];
      {
        await using store = await place.open();
        for (const key of keys) await store.keys.insert(key, who);
      }
      await using store = await place.open();
      assert.deepEqual((await store.keys.readAll()).keys, keys);
    });

    test('inserting an existing id or hash is a conflict', async (t) => {
      await using store = await (await makePlace(t)).open();
      const key = apiKey('a');
      await store.keys.insert(key, who);
      const before = await store.keys.readAll();
      const twin = apiKey('b');
      await rejectsWith(store.keys.insert({ ...twin, id: key.id }, who), 'conflict');
      await rejectsWith(store.keys.insert({ ...twin, sha256: key.sha256 }, who), 'conflict');
      assert.deepEqual(await store.keys.readAll(), before);
    });

    test('a revoked key has the instant of its first revocation', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.keys.insert(apiKey('a'), who);
      assert.equal(await revoke(store, 'a', 1_900_000_000_000), 'changed');
      assert.equal(await revoke(store, 'a', 2_000_000_000_000), 'revoked');
      const { keys } = await store.keys.readAll();
      assert.deepEqual(keys, [apiKey('a', { revokedAt: 1_900_000_000_000 })]);
    });

    test('a change without effect neither increases the revision nor is logged', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.keys.insert(apiKey('a'), who);
      await store.keys.insert(apiKey('z', { revokedAt: 1 }), who);
      const revision = await store.keys.revision();
      const events = await store.keys.readEvents({ max: 100 });
      assert.equal(await revoke(store, 'nobody', 1), 'unknown');
      const note = { who, at: 1 };
      assert.equal(await store.keys.change('a', { type: 'enable' }, note), 'unchanged');
      assert.equal(await store.keys.change('z', { type: 'disable' }, note), 'revoked');
      const orphan = { ...apiKey('n'), replaces: 'nobody' };
      assert.equal(await store.keys.rotate(orphan, 2, who), 'unknown');
      assert.equal(await store.keys.rotate({ ...orphan, replaces: 'z' }, 2, who), 'revoked');
      assert.equal(await store.keys.revision(), revision);
      assert.deepEqual(await store.keys.readEvents({ max: 100 }), events);
    });

    test('every change is stored, and logged with who, what and when, but without the key', async (t) => {
      const place = await makePlace(t);
      {
        await using store = await place.open();
        await store.keys.insert(apiKey('a'), 'ana@desk');
        const changes: readonly KeyChange[] = [
          { type: 'set-plan', plan: 'free' },
          { type: 'set-limit', limit: 'unlimited' },
          { type: 'set-labels', labels: { team: 'desk' } },
          { type: 'disable' },
          { type: 'enable' },
          { type: 'set-end', expiresAt: 9_000 },
        ];
        for (const [at, change] of changes.entries()) {
          assert.equal(await store.keys.change('a', change, { who: 'ben', at }), 'changed');
        }
      }
      await using store = await place.open();
      const [key] = (await store.keys.readAll()).keys;
      const labels = { team: 'desk' };
      const after = { plan: 'free', limit: 'unlimited', labels, expiresAt: 9_000 } as const;
      assert.deepEqual(key, apiKey('a', after));
      const events = await store.keys.readEvents({ max: 100 });
      assert.deepEqual(
        events.map((event) => [event.at, event.who, event.what, event.detail]),
        [
          [1_790_000_000_000, 'ana@desk', 'create', 'key a'],
          [0, 'ben', 'set-plan', 'free'],
          [1, 'ben', 'set-limit', 'unlimited'],
          [2, 'ben', 'set-labels', 'team=desk'],
          [3, 'ben', 'disable', ''],
          [4, 'ben', 'enable', ''],
          [5, 'ben', 'set-end', '1970-01-01T00:00:09.000Z'],
        ],
      );
      assert.ok(!JSON.stringify(events).includes(apiKey('a').sha256));
    });

    test('the audit log returns its last lines, of all keys or of one', async (t) => {
      await using store = await (await makePlace(t)).open();
      for (const id of ['a', 'b', 'c']) await store.keys.insert(apiKey(id), who);
      await revoke(store, 'a', 7);
      const last = await store.keys.readEvents({ max: 2 });
      assert.deepEqual(fieldsIn(last, 'keyId', 'what'), ['c create', 'a revoke']);
      const ofA = await store.keys.readEvents({ max: 100, keyId: 'a' });
      assert.deepEqual(fieldsIn(ofA, 'what'), ['create', 'revoke']);
    });

    test('a rotation adds the new key and sets the expiry of the old one atomically', async (t) => {
      await using store = await (await makePlace(t)).open();
      const a = apiKey('a');
      await store.keys.insert(a, who);
      const b = { ...apiKey('b'), replaces: 'a', family: 'a' };
      const before = await store.keys.revision();
      assert.equal(await store.keys.rotate(b, 5_000, who), 'changed');
      assert.ok((await store.keys.revision()) > before);
      assert.deepEqual((await store.keys.readAll()).keys, [{ ...a, expiresAt: 5_000 }, b]);
      const events = await store.keys.readEvents({ max: 2 });
      assert.deepEqual(fieldsIn(events, 'keyId', 'what', 'detail'), [
        'a set-end 1970-01-01T00:00:05.000Z',
        'b rotate replaces a',
      ]);
    });

    test('a second rotation of a key is a conflict and stores nothing', async (t) => {
      const place = await makePlace(t);
      await using one = await place.open();
      await using other = await place.open();
      await one.keys.insert(apiKey('a'), who);
      await one.keys.rotate({ ...apiKey('b'), replaces: 'a' }, 5_000, who);
      const before = await one.keys.readAll();
      const again = { ...apiKey('c'), replaces: 'a' };
      await rejectsWith(other.keys.rotate(again, 9_000, who), 'conflict');
      assert.deepEqual(await one.keys.readAll(), before);
    });

    test('a key whose replacement was revoked can be replaced again', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.keys.insert(apiKey('a'), who);
      await store.keys.rotate({ ...apiKey('b'), replaces: 'a' }, 5_000, who);
      await revoke(store, 'b', 1_000);
      const again = { ...apiKey('c'), replaces: 'a' };
      assert.equal(await store.keys.rotate(again, 9_000, who), 'changed');
    });

    test('the latest use is stored, but neither increases the revision nor is logged', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.keys.insert(apiKey('a'), who);
      await store.keys.insert(apiKey('b'), who);
      const revision = await store.keys.revision();
      await store.keys.noteUses([
        { id: 'a', at: 7_200_000 },
        { id: 'nobody', at: 1 },
      ]);
      await store.keys.noteUses([{ id: 'a', at: 3_600_000 }]);
      assert.deepEqual((await store.keys.readAll()).keys, [
        apiKey('a', { lastUsedAt: 7_200_000 }),
        apiKey('b'),
      ]);
      assert.equal(await store.keys.revision(), revision);
      assert.equal((await store.keys.readEvents({ max: 100 })).length, 2);
    });

    test('the revision increases with every change of any process', async (t) => {
      const place = await makePlace(t);
      await using server = await place.open();
      await using cli = await place.open();
      const seen = [await server.keys.revision()];
      await cli.keys.insert(apiKey('a'), who);
      seen.push(await server.keys.revision());
      await revoke(cli, 'a', 1_900_000_000_000);
      seen.push(await server.keys.revision());
      assert.ok(seen[0] !== undefined && seen[1] !== undefined && seen[2] !== undefined);
      assert.ok(seen[0] < seen[1] && seen[1] < seen[2], String(seen));
      assert.equal(await server.keys.revision(), seen[2], 'nothing else increases the revision');
      assert.equal((await server.keys.readAll()).revision, seen[2]);
    });

    test('keys and history have separate revisions', async (t) => {
      await using store = await (await makePlace(t)).open();
      const history = (await store.history.changesSince(0)).revision;
      await store.keys.insert(apiKey('a'), who);
      assert.equal((await store.history.changesSince(0)).revision, history);
      const keys = await store.keys.revision();
      await put(store, al30, [close('2026-05-04', 1)]);
      assert.equal(await store.keys.revision(), keys);
    });
  });
}

const who = 'the suite';

function revoke(store: Store, id: string, at: number): Promise<KeyChangeOutcome> {
  return store.keys.change(id, { type: 'revoke' }, { who, at });
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
