import assert from 'node:assert/strict';
import { open as openFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { al30, close, put } from '../../../../test/store/close-samples.ts';
import { onServer } from '../../../../test/support/postgres/on-server.ts';
import { placeDeps } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import {
  startPostgres,
  type PostgresServer,
} from '../../../../test/support/postgres/postgres-server.ts';
import { storedQuote } from '../../../../test/support/market/stored-quote.ts';
import { until } from '../../../../test/support/wait.ts';
import { PostgresPlace } from '../postgres-place.ts';

const unavailable = { name: 'StoreFault', code: 'unavailable' };

describe('a server that is lost', { skip: lacksPostgres() }, () => {
  let server: PostgresServer;

  // These tests stop it, so it is no other test's.
  before(async () => {
    server = await startPostgres();
  });
  after(() => server[Symbol.asyncDispose]());

  test('sessions that it closes are replaced without a fault of a read or a commit', async () => {
    await using place = new PostgresPlace(server.url('s1'), placeDeps);
    await using claim = await place.claim({ id: 'one', name: 'machine' });
    await using store = await place.open({ mode: 'create', claim });
    for (let version = 1; version <= 5; version += 1) {
      await store.quotes.commit({ quotes: [storedQuote(al30, version)], closes: [] });
      await onServer(
        server,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'pizarra%'`,
      );
      assert.deepEqual(
        (await store.quotes.readAll()).map((one) => one.version),
        [version],
      );
    }
  });

  test('a killed one is reported, its claim ends by itself, and it is used again when it is back', async () => {
    await using place = new PostgresPlace(server.url('s2'), placeDeps);
    await using claim = await place.claim({ id: 'one', name: 'machine' });
    await using store = await place.open({ mode: 'create', claim });
    await store.quotes.commit({ quotes: [storedQuote(al30, 1)], closes: [] });
    await server.kill();
    await assert.rejects(store.quotes.readAll(), unavailable);
    await assert.rejects(store.quotes.readAll(), unavailable, 'a second read does not wait either');
    await until('the claim is lost', () => claim.lost.aborted);
    await server.start();
    const quotes = await until('the server is used again', () =>
      store.quotes.readAll().catch(() => undefined),
    );
    assert.deepEqual(
      quotes.map(({ version }) => version),
      [1],
      'what was acknowledged is there',
    );
    await assert.rejects(store.quotes.commit({ quotes: [], closes: [] }), { code: 'fenced' });
  });

  test('a damaged page is reported as damage', async () => {
    await using place = new PostgresPlace(server.url('damaged'), placeDeps);
    await using store = await place.open({ mode: 'create' });
    await put(store, al30, [close('2026-05-04', 1)]);
    const signal = new AbortController().signal;
    await place.check(signal);
    await onServer(server, 'CHECKPOINT');
    const [[path]] = (await onServer(server, `SELECT pg_relation_filepath('damaged.closes')`)) as [
      [string],
    ];
    await server.stop();
    const file = await openFile(join(server.directory, 'data', path), 'r+');
    await file.write(Buffer.alloc(24, 0xff), 0, 24, 0);
    await file.close();
    await server.start();
    await until('the server is used again', () => store.quotes.readAll().catch(() => undefined));
    await assert.rejects(place.check(signal), { name: 'StoreFault', code: 'corrupt' });
  });

  test('a standby is read only if the URL says so, and refuses to listen without a leak', async () => {
    const url = (attributes: string): string =>
      server.url('read', { target_session_attrs: attributes });
    await using created = new PostgresPlace(url('read-write'), placeDeps);
    await (await created.open({ mode: 'create' }))[Symbol.asyncDispose]();
    await server.stop();
    const signalFile = join(server.directory, 'data', 'standby.signal');
    await writeFile(signalFile, '');
    await server.start();
    await using primary = new PostgresPlace(url('read-write'), placeDeps);
    await assert.rejects(primary.open({ mode: 'read' }), /is a standby/);
    await using any = new PostgresPlace(url('any'), placeDeps);
    await using store = await any.open({ mode: 'read' });
    assert.deepEqual(await store.quotes.readAll(), []);
    let isHinted = false;
    store.hints.subscribe(() => {
      isHinted = true;
    });
    const attempts = `SELECT count(*) FILTER (WHERE application_name LIKE 'pizarra watch%'), max(sessions)
      FROM pg_stat_activity, pg_stat_database WHERE pg_stat_database.datname = 'postgres'`;
    const begun = Number((await onServer(server, attempts))[0]?.[1]);
    let own = 0;
    await until('several attempts were made', async () => {
      own += 1;
      const [[watching, sessions] = []] = await onServer(server, attempts);
      assert.ok(Number(watching) <= 1, `${String(watching)} connections listen`);
      // Each look at the server is a session too.
      return Number(sessions) - own > begun + 3;
    });
    assert.equal(isHinted, false);
    await server.stop();
    await rm(signalFile);
    await server.start();
  });

  test('one that does not respond is noticed, though its connections stay open', async () => {
    await using place = new PostgresPlace(server.url('s3'), placeDeps);
    await using store = await place.open({ mode: 'create' });
    let hints = 0;
    store.hints.subscribe(() => (hints += 1));
    await until('the store listens', () => hints > 0);
    await store.quotes.readAll();
    await server.freeze();
    await assert.rejects(store.quotes.readAll(), unavailable);
    server.thaw();
    await until('the server is used again', () => store.quotes.readAll().catch(() => undefined));
  });
});
