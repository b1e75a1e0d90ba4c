import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { day } from '../../../../test/store/close-samples.ts';
import { onServer } from '../../../../test/support/postgres/on-server.ts';
import { placeDeps, sharedPostgres } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { PostgresPlace } from '../postgres-place.ts';
import { migrations } from '../schema/migrations.ts';
import { changeAt } from '../../../../test/support/market/test-change.ts';

/** Number of migrations before indices existed. */
const before = 2;

describe('indices in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('a reader finds no values in an older schema, and those of the writer after the upgrade, with the rights that it had', async () => {
    const server = await sharedPostgres();
    const schema = server.unusedSchema();
    await onServer(
      server,
      `CREATE ROLE ${schema}_reader; CREATE SCHEMA ${schema}; SET search_path = ${schema};
       ${migrations.slice(0, before).join(';')};
       CREATE TABLE schema_version (version integer NOT NULL);
       INSERT INTO schema_version VALUES (${before});
       GRANT USAGE ON SCHEMA ${schema} TO ${schema}_reader;
       GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${schema}_reader`,
    );
    await using place = new PostgresPlace(server.url(schema), placeDeps);
    await using reader = await place.open({ mode: 'read' });
    assert.deepEqual(await reader.indices.readAll(), { revision: 0, values: [] });
    assert.equal(await reader.indices.revision(), 0);
    assert.deepEqual(await reader.indices.readReplaced(), []);

    await using claim = await place.claim({ id: 'upgraded', name: 'upgraded' });
    await using writer = await place.open({ mode: 'create', claim });
    const cer = { index: 'CER', day: day('2026-12-15'), source: 'x' } as const;
    for (const value of [1, 2]) await writer.indices.put([{ ...cer, value }], changeAt(value));
    const { revision, values } = await reader.indices.readAll();
    assert.deepEqual(
      [revision, values],
      [2, [{ ...cer, value: 2, storedAt: 2, storedBy: 'import' }]],
    );
    assert.equal((await reader.indices.readReplaced('CER')).length, 1);
    await onServer(
      server,
      `SET ROLE ${schema}_reader; SELECT * FROM ${schema}.index_values;
       SELECT * FROM ${schema}.replaced_index_values`,
    );
  });
});
