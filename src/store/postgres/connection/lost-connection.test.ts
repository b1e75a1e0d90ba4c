import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { al30 } from '../../../../test/store/close-samples.ts';
import { onServer, placeDeps } from '../../../../test/support/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres-programs.ts';
import { startPostgres } from '../../../../test/support/postgres-server.ts';
import type { PostgresServer } from '../../../../test/support/postgres-server.ts';
import { storedQuote } from '../../../../test/support/stored-quote.ts';
import { until } from '../../../../test/support/wait.ts';
import { systemClock } from '../../../lib/clock.ts';
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

  test('a killed one is reported at once, its claim ends by itself, and it is used again when it is back', async () => {
    await using place = new PostgresPlace(server.url('s2'), placeDeps);
    await using claim = await place.claim({ id: 'one', name: 'machine' });
    await using store = await place.open({ mode: 'create', claim });
    await store.quotes.commit({ quotes: [storedQuote(al30, 1)], closes: [] });
    await server.kill();
    const beganAt = systemClock.monotonic();
    await assert.rejects(store.quotes.readAll(), unavailable);
    await assert.rejects(store.quotes.readAll(), unavailable, 'a second read does not wait either');
    const elapsedMs = systemClock.monotonic() - beganAt;
    assert.ok(elapsedMs < 2_000, `${elapsedMs} ms`);
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

  test('one that does not respond is noticed within seconds, though its connections stay open', async () => {
    await using place = new PostgresPlace(server.url('s3'), placeDeps);
    await using store = await place.open({ mode: 'create' });
    let hints = 0;
    store.hints.subscribe(() => (hints += 1));
    await until('the store listens', () => hints > 0);
    await store.quotes.readAll();
    await server.freeze();
    const beganAt = systemClock.monotonic();
    const noticed = store.quotes.readAll().then(
      () => assert.fail('the server does not respond'),
      () => systemClock.monotonic() - beganAt,
    );
    const elapsedMs = await noticed;
    server.thaw();
    // The limit of a single statement would be longer.
    assert.ok(elapsedMs < 6_000, `${elapsedMs} ms`);
    await until('the server is used again', () => store.quotes.readAll().catch(() => undefined));
  });
});
