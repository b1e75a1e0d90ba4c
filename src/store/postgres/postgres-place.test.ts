import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';

import { al30, close, put } from '../../../test/store/close-samples.ts';
import { onServer } from '../../../test/support/postgres/on-server.ts';
import {
  holdLock,
  placeDeps,
  sharedPostgres,
} from '../../../test/support/postgres/postgres-place.ts';
import { until } from '../../../test/support/wait.ts';
import { lacksPostgres } from '../../../test/support/postgres/postgres-programs.ts';
import type { StoreFaultCode } from '../contract/store-fault.ts';
import { PostgresPlace } from './postgres-place.ts';
import { lockClass } from './schema/create-schema.ts';
import { newestSchema } from './schema/schema.ts';
import { changeAt, testChange } from '../../../test/support/market/test-change.ts';

const node = { id: 'one', name: 'machine' };

/** A place in a schema that does not exist yet. */
async function newPlace(t: TestContext) {
  const server = await sharedPostgres();
  const schema = server.unusedSchema();
  const place = new PostgresPlace(server.url(schema), placeDeps);
  t.after(() => place[Symbol.asyncDispose]());
  return { server, schema, place };
}

function open(url: string) {
  return new PostgresPlace(url, placeDeps).open({ mode: 'read' });
}

/** What the doctor says about the connections of a server. */
async function connectionsOf(place: PostgresPlace) {
  const { findings } = await place.examine({ writes: true });
  return findings.find(({ check }) => check === 'connections');
}

async function rejectsWith(
  promise: Promise<unknown>,
  code: StoreFaultCode,
  message: RegExp,
): Promise<void> {
  await assert.rejects(promise, { name: 'StoreFault', code, message });
}

describe('a place in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('opening it to read or to write creates nothing', async (t) => {
    const { server, schema, place } = await newPlace(t);
    for (const mode of ['read', 'write'] as const) {
      await rejectsWith(place.open({ mode }), 'absent', /has no store\. Run "pizarra serve"/);
    }
    assert.equal(await place.holder(), undefined);
    assert.deepEqual(await place.nodes.live(), []);
    const found = await onServer(server, `SELECT to_regnamespace('${schema}')`);
    assert.deepEqual(found, [[null]]);
  });

  test('a store that was opened to read refuses every write, and takes no lock', async (t) => {
    const { server, schema, place } = await newPlace(t);
    await (await place.open({ mode: 'create' }))[Symbol.asyncDispose]();
    await using store = await place.open({ mode: 'read' });
    const writes = [
      () => put(store, al30, [close('2026-05-04', 1)]),
      () => store.quotes.commit({ quotes: [], closes: [] }),
      () => store.keys.noteUses([]),
      () => store.actions.apply({ put: [] }, testChange),
      () => store.indices.apply({ put: [] }, changeAt(1)),
      () => store.bars.tidyBars({ idleSince: 0, sessionsMax: 1 }),
    ];
    for (const write of writes) {
      await rejectsWith(write(), 'unavailable', /was opened read-only/);
    }
    await store.quotes.readAll();
    const locks = await onServer(
      server,
      `SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE application_name LIKE '%${schema}' AND locktype = 'relation'`,
    );
    assert.deepEqual(locks, [['0']]);
  });

  test('a store of another schema is refused in every mode, also with a claim, and stays as it is', async (t) => {
    const { server, schema, place } = await newPlace(t);
    await (await place.open({ mode: 'create' }))[Symbol.asyncDispose]();
    await using claim = await place.claim(node);
    for (const [version, code] of [
      [newestSchema - 1, 'schema-older'],
      [99, 'schema-newer'],
    ] as const) {
      await onServer(server, `UPDATE ${schema}.schema_version SET version = ${version}`);
      const message = new RegExp(`has schema ${version}`);
      for (const mode of ['read', 'write', 'create'] as const) {
        await rejectsWith(place.open({ mode }), code, message);
        await rejectsWith(place.open({ mode, claim }), code, message);
      }
      await rejectsWith(place.inspect(), code, message);
      const text = `SELECT version FROM ${schema}.schema_version`;
      assert.deepEqual(await onServer(server, text), [[version]]);
    }
  });

  test('a schema that exists is opened while another program holds the lock of its creation', async (t) => {
    const { server, schema, place } = await newPlace(t);
    await (await place.open({ mode: 'create' }))[Symbol.asyncDispose]();
    const stop = new AbortController();
    const text = `SELECT pg_advisory_xact_lock(${lockClass}, hashtext('${schema}'))`;
    const locked = holdLock(server, text, stop.signal);
    await locked.isHeld;
    await using claim = await place.claim(node);
    await (await place.open({ mode: 'create', claim }))[Symbol.asyncDispose]();
    stop.abort();
    await locked.isOver;
  });

  test('a schema may have any name', async (t) => {
    const { server } = await newPlace(t);
    const place = new PostgresPlace(server.url(`a$$b"c' ñ`), placeDeps);
    t.after(() => place[Symbol.asyncDispose]());
    await using claim = await place.claim(node);
    await using store = await place.open({ mode: 'create', claim });
    await put(store, al30, [close('2026-05-04', 1)]);
    const hints: string[] = [];
    store.hints.subscribe((hint) => hints.push(hint));
    await until('the store listens', () => hints.length > 0);
    assert.equal((await store.history.latestCloses([al30])).size, 1);
  });

  test('many programs that start at once create one schema', async (t) => {
    const { server, schema } = await newPlace(t);
    const url = server.url(schema);
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => new PostgresPlace(url, placeDeps).open({ mode: 'create' })),
    );
    for (const store of stores) {
      assert.equal(await store.keys.revision(), 0);
      await store[Symbol.asyncDispose]();
    }
  });

  test('a schema of another program is refused and stays as it is', async (t) => {
    const { server, schema, place } = await newPlace(t);
    await onServer(server, `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.theirs (a int)`);
    for (const mode of ['read', 'create'] as const) {
      await rejectsWith(place.open({ mode }), 'corrupt', /tables of another program/);
    }
    const tables = `SELECT relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace`;
    assert.deepEqual(await onServer(server, tables), [['theirs']]);
  });

  test('two schemas of one database are two places, and the demonstration is a third one', async (t) => {
    const [one, other] = [(await newPlace(t)).place, (await newPlace(t)).place];
    await using a = await one.open({ mode: 'create' });
    await using b = await other.open({ mode: 'create' });
    await using demonstration = await one.demonstration().open({ mode: 'create' });
    await put(a, al30, [close('2026-05-04', 1)]);
    for (const store of [b, demonstration]) {
      assert.equal((await store.history.latestCloses([al30])).size, 0);
    }
    assert.match(one.demonstration().name, /schema s\d+_demo$/);
  });

  test('inspecting and checking it counts and reads all rows', async (t) => {
    const { place } = await newPlace(t);
    await using store = await place.open({ mode: 'create' });
    await put(store, al30, [close('2026-05-04', 1), close('2026-05-05', 1)]);
    const { rows, bytes, schema } = await place.inspect();
    assert.deepEqual([rows['closes'], rows['quotes'], schema], [2, 0, newestSchema]);
    assert.ok(bytes > 0);
    await place.check(new AbortController().signal);
    await rejectsWith(place.check(AbortSignal.abort()), 'unavailable', /was stopped/);
  });

  test('a backup is left to the tools of PostgreSQL', async (t) => {
    const { place } = await newPlace(t);
    await rejectsWith(place.backUp(), 'unsupported', /use pg_dump/);
    await rejectsWith(place.restore(), 'unsupported', /use pg_restore/);
  });

  test('the doctor learns that the server does not sync to the disk', async (t) => {
    const { place } = await newPlace(t);
    const { findings, isReachable } = await place.examine({ writes: true });
    assert.ok(isReachable);
    const states = new Map(findings.map(({ check, state }) => [check, state]));
    assert.equal(states.get('fsync'), 'wrong');
    assert.equal(states.get('permissions'), 'fine');
    assert.equal(states.get('database clock'), 'fine');
  });

  test('the doctor learns that the server permits too few connections, whichever limit it is', async (t) => {
    const { server, schema, place } = await newPlace(t);
    const found = await connectionsOf(place);
    assert.equal(found?.state, 'fine');
    // The test's server permits 200 connections, of which three are for administrators.
    assert.match(found.says, /^\d+ of 197 connections are open\.$/);
    await onServer(server, `CREATE ROLE few LOGIN CONNECTION LIMIT 7`);
    const url = server.url(schema).replace('pizarra@', 'few@');
    await using few = new PostgresPlace(url, placeDeps);
    const lacking = await connectionsOf(few);
    assert.equal(lacking?.state, 'warning');
    assert.equal(lacking.says, '1 of 7 connections are open.');
    await few[Symbol.asyncDispose]();
    await onServer(server, `DROP ROLE few`);
  });

  test('notes are read back, and nodes disappear when their registration ends', async (t) => {
    const { place } = await newPlace(t);
    await (await place.open({ mode: 'create' }))[Symbol.asyncDispose]();
    assert.equal(await place.notes.read('lacking-days'), undefined);
    await place.notes.write('lacking-days', '{"a":1}');
    await place.notes.write('lacking-days', '{"a":2}');
    assert.equal(await place.notes.read('lacking-days'), '{"a":2}');
    const record = {
      instance: 'one',
      role: 'all',
      host: 'machine',
      pid: 7,
      version: '1',
      url: 'http://a',
      privateUrl: 'http://b',
      advertisedUrl: 'http://a.example',
      advertisedPrivateUrl: 'http://b.example',
      tlsCert: '',
      privateTlsCert: '',
    } as const;
    {
      await using registration = await place.nodes.register(record, assert.ifError);
      await registration.update({ ...record, url: 'http://c' });
      const live = await place.nodes.live();
      assert.deepEqual(
        live.map((one) => ({ ...one, silentMs: 0 })),
        [{ ...record, url: 'http://c', silentMs: 0 }],
      );
      await using claim = await place.claim(node);
      assert.ok(claim.token > 0);
      assert.deepEqual(await place.holder(), { ...node, privateUrl: 'http://b.example' });
    }
    assert.deepEqual(await place.nodes.live(), []);
    assert.equal(await place.holder(), undefined);
  });

  test('a server that cannot be reached, a missing database and a wrong URL are told apart', async () => {
    const server = await sharedPostgres();
    await rejectsWith(open('postgres://u:hunter2@127.0.0.1:1/d'), 'unavailable', /ECONNREFUSED/);
    const missing = server.url('s').replace('/postgres?', '/nowhere?');
    await rejectsWith(open(missing), 'absent', /Create the database/);
    const stranger = server.url('s').replace('//pizarra@', '//stranger@');
    await rejectsWith(open(stranger), 'unavailable', /stranger/);
  });

  test('of several hosts, the one that accepts writes is used', async (t) => {
    const { server, schema, place } = await newPlace(t);
    await (await place.open({ mode: 'create' }))[Symbol.asyncDispose]();
    const url = server.url(schema).replace('@127.0.0.1', '@127.0.0.1:1,127.0.0.1');
    await using store = await new PostgresPlace(url, placeDeps).open({ mode: 'read' });
    assert.deepEqual(await store.quotes.readAll(), []);
    const none = server.url(schema).replace(/@[^/]*/, '@127.0.0.1:1,127.0.0.1:2');
    await rejectsWith(
      new PostgresPlace(none, placeDeps).open({ mode: 'read' }),
      'unavailable',
      /no host .* accepts writes: .*:1.*; .*:2/s,
    );
  });
});
