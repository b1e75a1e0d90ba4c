/** A real PgBouncer in front of a real server. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { lacksPgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { lacksPostgres } from '../support/postgres-programs.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { storedQuote } from '../support/stored-quote.ts';
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
});
