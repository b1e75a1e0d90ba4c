import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { firstEpochDay, lastEpochDay } from '../../../src/domain/calendar/plain-date.ts';
import type { OpenMode } from '../../../src/store/contract/place.ts';
import type { NodeRecord } from '../../../src/store/contract/nodes.ts';
import { StoreFault } from '../../../src/store/contract/store-fault.ts';
import { deferred } from '../../support/wait.ts';
import { close, ggal, put, readRows } from '../close-samples.ts';
import type { MakeInstallation } from '../store-place.ts';
import { changeAt, testChange, testStamp } from '../../support/market/test-change.ts';

/** The guarantees of every place. */
export function testPlace(name: string, makeInstallation: MakeInstallation): void {
  describe(`${name}: place`, () => {
    test('opening to read or write creates nothing, and says what is absent', async (t) => {
      const { another } = await makeInstallation(t);
      await using place = another();
      for (const mode of ['read', 'write', 'read'] as const satisfies readonly OpenMode[]) {
        await assert.rejects(place.open({ mode }), hasCode('absent'), mode);
      }
      assert.equal(await place.holder(), undefined);
      assert.deepEqual(await place.nodes.live(), []);
      await assert.rejects(place.inspect(), hasCode('absent'));
    });

    test('a store that is opened to read refuses every write', async (t) => {
      const { another } = await makeInstallation(t);
      await using place = another();
      await using store = await place.open({ mode: 'create' });
      await put(store, ggal, [close('2026-11-19', 1)]);
      await using reader = await place.open({ mode: 'read' });
      const key = {
        id: 'k',
        name: 'k',
        scope: 'read',
        sha256: 'f'.repeat(64),
        createdAt: 0,
      } as const;
      const writes = [
        () => reader.history.transaction((transaction) => transaction.put(ggal, []), testStamp),
        () => reader.keys.insert(key, 'test'),
        () => reader.actions.apply({ put: [] }, testChange),
        () => reader.indices.apply({ put: [] }, changeAt(1)),
        () => reader.indices.restore([]),
        () => reader.quotes.commit({ quotes: [], closes: [] }),
        () => reader.keys.noteUses([{ id: 'k', at: 1 }]),
      ];
      for (const write of writes) await assert.rejects(write(), hasCode('unavailable'));
      const range = { from: firstEpochDay, to: lastEpochDay };
      assert.equal((await reader.history.readCloses(ggal, range)).length, 1);
    });

    test('one process holds the claim, another is refused and learns who holds it', async (t) => {
      const { another } = await makeInstallation(t);
      await using one = another();
      await using two = another();
      {
        await using claim = await one.claim({ id: 'first', name: 'here' });
        assert.equal(claim.lost.aborted, false);
        await using _ = await one.nodes.register(nodeOf('first'), unexpected);
        await assert.rejects(
          two.claim({ id: 'second', name: 'there' }),
          (fault: unknown) =>
            fault instanceof StoreFault && fault.code === 'busy' && fault.holder?.id === 'first',
        );
        const { id, privateUrl } = (await two.holder()) ?? {};
        assert.deepEqual([id, privateUrl], ['first', nodeOf('first').advertisedPrivateUrl]);
      }
      assert.equal(await two.holder(), undefined);
      await using _ = await two.claim({ id: 'second', name: 'there' });
    });

    test('a claim that is awaited is granted when its holder releases it', async (t) => {
      const { another } = await makeInstallation(t);
      await using one = another();
      await using two = another();
      const first = await one.claim({ id: 'first', name: 'here' });
      const waiting = new AbortController();
      const held = deferred<void>();
      const next = two.claim(
        { id: 'second', name: 'there' },
        { waiting: waiting.signal, onHolder: () => held.resolve() },
      );
      await held.promise;
      await first[Symbol.asyncDispose]();
      await using second = await next;
      assert.ok(second.token >= first.token);
      assert.equal(second.lost.aborted, false);

      const given = one.claim({ id: 'third', name: 'here' }, { waiting: waiting.signal });
      waiting.abort(new Error('no longer'));
      await assert.rejects(given, /no longer/);
    });

    test('nodes that are registered are live until their registration is disposed', async (t) => {
      const { another } = await makeInstallation(t);
      await using one = another();
      await using two = another();
      await using claim = await one.claim({ id: 'first', name: 'here' });
      await using store = await one.open({ mode: 'create', claim });
      {
        await using registered = await one.nodes.register(nodeOf('first'), unexpected);
        const [live, ...others] = await two.nodes.live();
        assert.deepEqual(others, []);
        assert.deepEqual({ ...live, silentMs: 0 }, { ...nodeOf('first'), silentMs: 0 });
        await registered.update({ ...nodeOf('first'), url: 'http://127.0.0.1:1/v6' });
        assert.equal((await two.nodes.live())[0]?.url, 'http://127.0.0.1:1/v6');
      }
      assert.deepEqual(await two.nodes.live(), []);
      await store[Symbol.asyncDispose]();
    });

    test('a note is what was written last, for every process', async (t) => {
      const { another } = await makeInstallation(t);
      await using one = another();
      await using two = another();
      await using _ = await one.open({ mode: 'create' });
      assert.equal(await one.notes.read('a-note'), undefined);
      await one.notes.write('a-note', '[1]');
      await two.notes.write('a-note', '["ñ",2]');
      assert.equal(await one.notes.read('a-note'), '["ñ",2]');
      assert.equal(await one.notes.read('other'), undefined);
    });

    test('the demonstration has a store of its own, which the claim covers', async (t) => {
      const { another } = await makeInstallation(t);
      await using place = another();
      await using claim = await place.claim({ id: 'first', name: 'here' });
      await using store = await place.open({ mode: 'create', claim });
      await using demonstration = place.demonstration();
      await assert.rejects(demonstration.open({ mode: 'read' }), hasCode('absent'));
      await using simulated = await demonstration.open({ mode: 'create', claim });
      await put(simulated, ggal, [close('2026-11-19', 1)]);
      assert.deepEqual(await readRows(store, ggal), []);
      assert.equal((await readRows(simulated, ggal)).length, 1);
    });

    test('an inspection counts the rows, and has the version of the schema', async (t) => {
      const { another } = await makeInstallation(t);
      await using place = another();
      await using store = await place.open({ mode: 'create' });
      await put(store, ggal, [close('2026-11-18', 1), close('2026-11-19', 2)]);
      const { rows, schema, bytes } = await place.inspect();
      assert.deepEqual([rows['closes'], rows['quotes']], [2, 0]);
      assert.ok(schema > 0);
      assert.ok(bytes > 0);
      await place.check(new AbortController().signal);
      const { isReachable, findings } = await place.examine({ writes: true });
      assert.equal(isReachable, true);
      assert.deepEqual(
        findings.filter(({ state }) => state === 'wrong'),
        [],
      );
    });
  });
}

function unexpected(fault: unknown): void {
  throw new Error('unexpected', { cause: fault });
}

function nodeOf(instance: string): NodeRecord {
  return {
    instance,
    role: 'all',
    host: 'machine',
    pid: 7,
    version: '1.2.3',
    url: 'http://127.0.0.1:1/v5',
    privateUrl: 'http://127.0.0.1:2',
    advertisedUrl: 'http://a.example',
    advertisedPrivateUrl: 'http://b.example',
    tlsCert: '',
    privateTlsCert: '',
  };
}

function hasCode(code: StoreFault['code']): (fault: unknown) => boolean {
  return (fault) => fault instanceof StoreFault && fault.code === code;
}
