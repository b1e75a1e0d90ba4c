/** A real PgBouncer in front of a real server. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { lacksPgBouncer, startPgBouncer } from './pgbouncer.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { onServer } from '../support/postgres/on-server.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { storedQuote } from '../support/market/stored-quote.ts';
import { deferred } from '../support/wait.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { openPlace } from '../../src/node/place/open-place.ts';

const skip = lacksPostgres() || lacksPgBouncer();

describe('PgBouncer', { skip }, () => {
  for (const mode of ['transaction', 'statement'] as const) {
    test(`a pooler in ${mode} mode is refused by name, and the fault does not ask to wait`, async () => {
      await using server = await startPostgres();
      await using pooler = await startPgBouncer(mode, server.port);
      const url = server.url(server.unusedSchema()).replace(`:${server.port}/`, `:${pooler.port}/`);
      await using place = openPlace(url);
      await assert.rejects(place.open({ mode: 'create' }), {
        code: 'unsupported',
        message: /is a pooler in transaction mode.*pool_mode = session/,
      });
    });
  }

  test('a pooler in session mode works: what is stored through it is read back', async () => {
    await using server = await startPostgres();
    await using pooler = await startPgBouncer('session', server.port);
    const url = server.url(server.unusedSchema()).replace(`:${server.port}/`, `:${pooler.port}/`);
    await using place = openPlace(url);
    await using store = await place.open({ mode: 'create' });
    await store.quotes.commit({ quotes: [storedQuote('GGAL' as Ticker, 1)], closes: [] });
    assert.equal((await store.quotes.readAll()).length, 1);
  });

  test('a stand-by in session mode takes over with the connections that it has reserved', async () => {
    await using server = await startPostgres();
    await using pooler = await startPgBouncer('session', server.port);
    const schema = server.unusedSchema();
    const url = server.url(schema).replace(`:${server.port}/`, `:${pooler.port}/`);
    await using place = openPlace(url);
    const claim = await place.claim({ id: 'one', name: 'machine 1' });
    await using other = openPlace(url);
    const reserved = deferred<unknown>();
    const waiting = other.claim(
      { id: 'two', name: 'machine 2' },
      { waiting: new AbortController().signal, onReserved: reserved.resolve },
    );
    assert.equal(await reserved.promise, undefined);
    const connections = async (): Promise<readonly unknown[]> => {
      const [[processes, names] = []] = await onServer(
        server,
        `SELECT json_agg(pid ORDER BY pid), json_agg(split_part(application_name, ' ', 2) ORDER BY split_part(application_name, ' ', 2))
          FROM pg_stat_activity
          WHERE application_name SIMILAR TO 'pizarra (reserved|stand-by|read|write|watch) %'`,
      );
      return [processes, names];
    };
    const [before] = await connections();
    await claim[Symbol.asyncDispose]();
    await using taken = await waiting;
    await using store = await other.open({ mode: 'create', claim: taken });
    await store.quotes.commit({ quotes: [storedQuote('GGAL' as Ticker, 1)], closes: [] });
    assert.equal((await store.quotes.readAll()).length, 1);
    const [after, names] = await connections();
    assert.deepEqual(after, before);
    assert.deepEqual(names, ['read', 'watch', 'write']);
  });
});
