/** A server is replaced by a promoted copy at its address, and then started again unchanged. */
import assert from 'node:assert/strict';
import { priceAt, pushPrice } from '../support/http/ask-service.ts';
import { test } from 'node:test';

import { startService } from '../../src/embed/start-service.ts';
import { readinessCheck } from '../support/http/readiness-check.ts';
import { onServer } from '../support/postgres/on-server.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { until } from '../support/wait.ts';

test(
  'a node that has used the successor refuses a former primary, alone, and shows what it showed before',
  { skip: lacksPostgres() },
  async () => {
    await using former = await startPostgres();
    const schema = former.unusedSchema();
    const store = former.url(schema);
    await using node = await startService({ store, port: 0, privatePort: 0, drainIdleMs: 0 });
    const { key } = await node.createKey({ name: 'reader' });
    const { key: ingest } = await node.createKey({ name: 'feed', scope: 'ingest' });
    await until(
      'an update is stored',
      async () => (await pushPrice(node, ingest, 100)).status === 200,
    );

    await former.stop();
    await using successor = await startPostgres({ copyOf: former, port: former.port });
    await onServer(successor, 'SELECT pg_promote()');
    await until(
      'it is stored again',
      async () => (await pushPrice(node, ingest, 101)).status === 200,
    );
    await until('it is shown', async () => (await priceAt(node, key)) === 101);

    await successor.stop();
    await former.start();
    const tokens = await onServer(former, `SELECT token FROM ${schema}.lease`);
    const line = await until('the line is refused', async () => {
      const check = await readinessCheck(node, 'line');
      return check?.ok === false ? check : undefined;
    });
    assert.match(line.reason, /is refused: it is on line \d+\/1 .* line \d+\/2 is newer/);
    assert.equal(await priceAt(node, key), 101);
    assert.equal((await pushPrice(node, ingest, 102)).status, 503);
    assert.deepEqual(await onServer(former, `SELECT token FROM ${schema}.lease`), tokens);

    await former.stop();
    await successor.start();
    await until(
      'the successor is used',
      async () => (await readinessCheck(node, 'line'))?.ok === true,
    );
    await until(
      'an update is stored there',
      async () => (await pushPrice(node, ingest, 103)).status === 200,
    );
  },
);
