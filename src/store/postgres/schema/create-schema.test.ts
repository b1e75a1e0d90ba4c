import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { onServer } from '../../../../test/support/postgres/on-server.ts';
import { placeDeps, sharedPostgres } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { HostFinder } from '../connection/find-session.ts';
import { parsePostgresUrl } from '../target/postgres-url.ts';
import { LineKeeper } from '../line/line-keeper.ts';
import { createSchema, requireSchema, schemaVersion } from './create-schema.ts';
import { newestSchema } from './schema.ts';

/** Sessions with a schema that does not exist yet. */
async function newSchema() {
  const server = await sharedPostgres();
  const schema = server.unusedSchema();
  const lines = new LineKeeper({ ...placeDeps, askLineages: undefined, nodes: async () => [] });
  const hosts = new HostFinder(parsePostgresUrl(server.url(schema)), { ...placeDeps, lines });
  const open = () =>
    hosts.open({ applicationName: 'test', isReadOnly: false, statementMs: 5_000, lockMs: 0 });
  return { server, schema, place: { schema, where: 'here' }, open };
}

describe('the schema in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('an older and a newer one are refused with what to do, and stay as they are', async () => {
    const { server, schema, place, open } = await newSchema();
    const session = await open();
    await assert.rejects(requireSchema(session, place), { code: 'absent' });
    await createSchema(session, place);
    await requireSchema(session, place);
    for (const [version, code, message] of [
      [
        newestSchema - 1,
        'schema-older',
        /^here has schema 5 of an older version of Pizarra, and this version needs schema 6\. Run "pizarra export" of the older version, and "pizarra import" of this version into an empty schema$/,
      ],
      [
        newestSchema + 1,
        'schema-newer',
        /^here was written by a newer .*schema 7.*supports schema 6/,
      ],
    ] as const) {
      await onServer(server, `UPDATE ${schema}.schema_version SET version = ${version}`);
      await assert.rejects(requireSchema(session, place), { code, message });
      await createSchema(session, place);
      assert.equal(await schemaVersion(session, place), version);
    }
    await session.close();
  });

  test('one that cannot be created leaves nothing, and no lock behind', async () => {
    const { server, schema, place, open } = await newSchema();
    await onServer(
      server,
      `CREATE SCHEMA ${schema}; CREATE FUNCTION ${schema}.keep_replaced_close() RETURNS trigger
       LANGUAGE plpgsql AS 'BEGIN END'`,
    );
    const session = await open();
    await assert.rejects(createSchema(session, place), /already exists/);
    const other = await open();
    assert.equal(await schemaVersion(other, place), undefined);
    await onServer(server, `DROP FUNCTION ${schema}.keep_replaced_close`);
    await createSchema(other, place);
    assert.equal(await schemaVersion(other, place), newestSchema);
    await other.close();
  });
});
