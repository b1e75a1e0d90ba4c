import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { onServer } from '../../../../test/support/postgres/on-server.ts';
import { placeDeps, sharedPostgres } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { HostFinder } from '../connection/find-session.ts';
import { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { parsePostgresUrl } from '../target/postgres-url.ts';
import { LineKeeper } from '../line/line-keeper.ts';
import { createSchema, requireSchema, schemaVersion } from './create-schema.ts';
import { newestSchema } from './schema.ts';

/** Connects to a schema that does not exist yet. */
async function newSchema() {
  const server = await sharedPostgres();
  const schema = server.unusedSchema();
  const lines = new LineKeeper({ ...placeDeps, askLineages: undefined, nodes: async () => [] });
  const hosts = new HostFinder(parsePostgresUrl(server.url(schema)), { ...placeDeps, lines });
  const open = () => new ReconnectingSession(hosts, { purpose: 'create' });
  return { server, schema, open };
}

describe('the schema in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('an older and a newer one are refused with what to do, and stay as they are', async () => {
    const { server, schema, open } = await newSchema();
    await using connection = open();
    await assert.rejects(requireSchema(connection), { code: 'absent' });
    await createSchema(connection, open());
    await requireSchema(connection);
    for (const [version, code, message] of [
      [
        newestSchema - 1,
        'schema-older',
        /^PostgreSQL at \S+, schema \S+ has schema 6 of an older version of Pizarra, and this version needs schema 7\. Run "pizarra export --with-changes" of the older version, and "pizarra import" of this version into an empty schema$/,
      ],
      [
        newestSchema + 1,
        'schema-newer',
        /^PostgreSQL at \S+, schema \S+ was written by a newer .*schema 8.*supports schema 7/,
      ],
    ] as const) {
      await onServer(server, `UPDATE ${schema}.schema_version SET version = ${version}`);
      await assert.rejects(requireSchema(connection), { code, message });
      await createSchema(connection, open());
      assert.equal(await schemaVersion(connection), version);
    }
  });

  test('one that cannot be created leaves nothing, and no lock behind', async () => {
    const { server, schema, open } = await newSchema();
    await onServer(
      server,
      `CREATE SCHEMA ${schema}; CREATE FUNCTION ${schema}.keep_replaced_close() RETURNS trigger
       LANGUAGE plpgsql AS 'BEGIN END'`,
    );
    await using connection = open();
    await assert.rejects(createSchema(connection, open()), /already exists/);
    assert.equal(await schemaVersion(connection), undefined);
    await onServer(server, `DROP FUNCTION ${schema}.keep_replaced_close`);
    await createSchema(connection, open());
    assert.equal(await schemaVersion(connection), newestSchema);
  });
});
