import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { al30, allDays, close, put } from '../../../../test/store/close-samples.ts';
import { changeAt, testChange } from '../../../../test/support/market/test-change.ts';
import { onServer } from '../../../../test/support/postgres/on-server.ts';
import { placeDeps, sharedPostgres } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { PostgresPlace } from '../postgres-place.ts';
import { migrations } from '../schema/migrations.ts';

/** Number of migrations before the memory of changes existed. */
const before = 3;

describe('the memory of changes in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('a reader of an older schema knows no changes, and after the upgrade what was stored, with the rights that it had', async () => {
    const server = await sharedPostgres();
    const schema = server.unusedSchema();
    await onServer(
      server,
      `CREATE ROLE ${schema}_reader; CREATE SCHEMA ${schema}; SET search_path = ${schema};
       ${migrations.slice(0, before).join(';')};
       CREATE TABLE schema_version (version integer NOT NULL);
       INSERT INTO schema_version VALUES (${before});
       INSERT INTO instruments (ticker, closes_revision) VALUES ('AL30', 1);
       INSERT INTO closes VALUES (1, ${close('2026-05-04', 1).day}, 1.5);
       INSERT INTO corporate_actions VALUES ('AL30', 20000, 'split', 2, NULL, NULL, NULL, 'x');
       INSERT INTO index_values VALUES ('CER', 20000, 7, 'x', 5);
       UPDATE revisions SET value = 1;
       GRANT USAGE ON SCHEMA ${schema} TO ${schema}_reader;
       GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${schema}_reader`,
    );
    await using place = new PostgresPlace(server.url(schema), placeDeps);
    await using reader = await place.open({ mode: 'read' });
    assert.deepEqual(await reader.memory.readCloses(al30, allDays), []);
    assert.deepEqual(await reader.memory.readActions(), []);
    assert.equal(await reader.memory.knownSince(al30), undefined);
    assert.equal(await reader.memory.began(), undefined);
    const cer = { index: 'CER', day: 20_000, value: 7, source: 'x', storedAt: 5 };
    assert.deepEqual((await reader.indices.readAll()).values, [cer]);

    await using claim = await place.claim({ id: 'upgraded', name: 'upgraded' });
    await using writer = await place.open({ mode: 'create', claim });
    const began = await reader.memory.began();
    assert.ok(began !== undefined);
    const stored = { at: began, origin: 'unknown' };
    const [split] = (await writer.actions.readAll()).actions;
    assert.ok(split !== undefined);
    await put(writer, al30, [close('2026-05-04', 2)]);
    await writer.actions.apply({ put: [], remove: [split] }, changeAt(9));
    assert.deepEqual(await reader.memory.readCloses(al30, allDays), [
      { value: close('2026-05-04', 1.5), stored, replaced: testChange },
      { value: close('2026-05-04', 2), stored: testChange },
    ]);
    assert.deepEqual(await reader.memory.readActions(), [
      { value: split, stored, replaced: changeAt(9) },
    ]);
    assert.equal(await reader.memory.knownSince(al30), Math.min(began, testChange.at));
    assert.deepEqual((await reader.indices.readAll()).values, [cer]);
    await onServer(
      server,
      `SET ROLE ${schema}_reader; SELECT * FROM ${schema}.changes, ${schema}.replaced_closes,
       ${schema}.replaced_actions`,
    );
  });
});
