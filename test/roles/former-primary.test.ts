/** A server is replaced by a promoted copy at its address, and then started again unchanged. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import type { EmbeddedService } from '../../src/embed/embedded-service.ts';
import { openPlace } from '../../src/node/place/open-place.ts';
import { startService } from '../../src/embed/start-service.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { readinessCheck } from '../support/http/readiness-check.ts';
import { onServer } from '../support/postgres/on-server.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { until } from '../support/wait.ts';

async function priceAt({ url }: EmbeddedService, key: string): Promise<number | undefined> {
  const response = await fetch(`${url}/cotizaciones?especie=BTC`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const rows = (await response.json()) as readonly { readonly ultimo: number }[];
  return rows[0]?.ultimo;
}

async function push({ privateUrl }: EmbeddedService, key: string, last: number): Promise<number> {
  const response = await fetch(`${privateUrl}/updates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ ticker: 'BTC', at: new Date().toISOString(), last }),
  });
  return response.status;
}

test(
  'a node that starts from its local copy refuses a former primary, alone, and shows what it showed before',
  { skip: lacksPostgres() },
  async (t) => {
    await using former = await startPostgres();
    const schema = former.unusedSchema();
    const store = former.url(schema);
    const cache = await temporaryDirectory(t);
    const start = (): Promise<EmbeddedService> =>
      startService({ store, cache, port: 0, privatePort: 0, drainIdleMs: 0 });
    await using first = await start();
    const { key } = await first.createKey({ name: 'reader' });
    const { key: ingest } = await first.createKey({ name: 'feed', scope: 'ingest' });
    await until('an update is stored', async () => (await push(first, ingest, 100)) === 200);

    await former.stop();
    await using successor = await startPostgres({ copyOf: former, port: former.port });
    await onServer(successor, 'SELECT pg_promote()');
    await until('it is stored again', async () => (await push(first, ingest, 101)) === 200);
    await until('the copy has it', async () => {
      const note = await readFile(join(cache, 'replica-line.json'), 'utf8').catch(() => '');
      return note.trim().endsWith('/2') && (await priceAt(first, key)) === 101;
    });
    // The quotes are copied every second.
    const copied = async (): Promise<boolean> => {
      const state = await readFile(join(cache, 'replica-state.json'), 'utf8').catch(() => '{}');
      if ((JSON.parse(state) as { isComplete?: boolean }).isComplete !== true) return false;
      await using place = openPlace(cache);
      await using copy = await place.open({ mode: 'read' });
      return (await copy.quotes.readAll()).some(({ session }) => session?.last === 101);
    };
    await until('the copy is whole', copied);
    await first[Symbol.asyncDispose]();

    await successor.stop();
    await former.start();
    const tokens = await onServer(former, `SELECT token FROM ${schema}.lease`);
    await using again = await start();
    const line = await until('the line is refused', async () => {
      const check = await readinessCheck(again, 'line');
      return check?.ok === false ? check : undefined;
    });
    assert.match(line.reason, /is refused: it is on line \d+\/1 .* line \d+\/2 is newer/);
    assert.equal(await priceAt(again, key), 101);
    assert.equal(await push(again, ingest, 102), 503);
    assert.deepEqual(await onServer(former, `SELECT token FROM ${schema}.lease`), tokens);

    await former.stop();
    await successor.start();
    await until(
      'the successor is used',
      async () => (await readinessCheck(again, 'line'))?.ok === true,
    );
    await until('an update is stored there', async () => (await push(again, ingest, 103)) === 200);
  },
);
