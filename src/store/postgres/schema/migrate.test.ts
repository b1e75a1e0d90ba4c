import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { onServer } from '../../../../test/support/postgres/on-server.ts';
import { placeDeps, sharedPostgres } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { HostFinder } from '../connection/find-session.ts';
import { parsePostgresUrl } from '../target/postgres-url.ts';
import { LineKeeper } from '../line/line-keeper.ts';
import { migrate, requireSchema, schemaVersion } from './migrate.ts';

const steps = ['CREATE TABLE one (a int)', 'ALTER TABLE one ADD COLUMN b int'];

/** Sessions with a schema that does not exist yet. */
async function newSchema() {
  const server = await sharedPostgres();
  const schema = server.unusedSchema();
  const lines = new LineKeeper({ ...placeDeps, askLineages: undefined });
  const hosts = new HostFinder(parsePostgresUrl(server.url(schema)), { ...placeDeps, lines });
  const open = () =>
    hosts.open({ applicationName: 'test', isReadOnly: false, statementMs: 5_000, lockMs: 0 });
  return { server, schema, place: { schema, where: 'here' }, open };
}

describe('the schema in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('an older one is upgraded only if that is allowed, and keeps its rows', async () => {
    const { server, schema, place, open } = await newSchema();
    const session = await open();
    await migrate(session, place, { steps: steps.slice(0, 1), mayUpgrade: false });
    await onServer(server, `INSERT INTO ${schema}.one VALUES (7)`);
    const refused = await open();
    await assert.rejects(migrate(refused, place, { steps, mayUpgrade: false }), {
      code: 'schema-older',
    });
    await assert.rejects(requireSchema(session, place, { newest: 2 }), { code: 'schema-older' });
    await requireSchema(session, place, { newest: 2, oldest: 1 });
    assert.equal(await schemaVersion(session, place), 1);
    await migrate(session, place, { steps, mayUpgrade: true });
    assert.equal(await schemaVersion(session, place), 2);
    assert.deepEqual(await onServer(server, `SELECT a, b FROM ${schema}.one`), [[7, null]]);
    await session.close();
  });

  test('a step that fails changes nothing, and leaves no lock behind', async () => {
    const { place, open } = await newSchema();
    const session = await open();
    const wrong = [...steps, 'CREATE TABLE one (twice int)'];
    await assert.rejects(
      migrate(session, place, { steps: wrong, mayUpgrade: true }),
      /already exists/,
    );
    const other = await open();
    assert.equal(await schemaVersion(other, place), undefined);
    await migrate(other, place, { steps, mayUpgrade: false });
    assert.equal(await schemaVersion(other, place), 2);
    await other.close();
  });
});
