import { StoreFault, requireVersion } from '../../contract/store-fault.ts';
import { Transactions, type ReconnectingSession } from '../connection/reconnecting-session.ts';
import { quoted, type Session } from '../session/session.ts';
import { createTables, newestSchema } from './schema.ts';

/** "PIZA" in ASCII, the class of this program's advisory locks. */
export const lockClass = 0x50_49_5a_41;

/**
 * Creates the schema where none exists, in one transaction. A schema that exists is not locked, so nothing delays a
 * writer that starts. Otherwise an advisory lock is taken before the version is read again: when two programs start at
 * once, one of them creates the schema, and the other finds it.
 *
 * @param creating a connection for a statement that may take long. It is closed.
 * @throws StoreFault `corrupt`. Nothing is changed then.
 */
export async function createSchema(
  connection: ReconnectingSession,
  creating: ReconnectingSession,
): Promise<void> {
  await using transactions = new Transactions(creating);
  if ((await schemaVersion(connection)) !== undefined) return;
  await transactions.run(async (session) => {
    const text = `SELECT pg_advisory_xact_lock(${lockClass}, hashtext($1))`;
    await session.query({ text }, [connection.schema]);
    if ((await schemaVersion(connection, { session })) === undefined)
      await create(session, connection.schema);
  });
}

/**
 * Refuses every schema other than the one of this program. It changes nothing and takes no lock.
 *
 * @throws StoreFault `absent`, `schema-older`, `schema-newer` or `corrupt`.
 */
export async function requireSchema(connection: ReconnectingSession): Promise<void> {
  const version = await schemaVersion(connection);
  if (version === undefined) {
    const advice = 'Run "pizarra serve" or "pizarra import" to create one';
    throw new StoreFault('absent', `${connection.where} has no store. ${advice}`);
  }
  requireVersion(connection.where, { version, needed: newestSchema, another: 'schema' });
}

/**
 * The version of the schema; undefined if it does not exist or is empty.
 *
 * @param of.schema another schema than that of the connection.
 * @param of.session the session of a transaction.
 */
export async function schemaVersion(
  connection: ReconnectingSession,
  {
    schema = connection.schema,
    session,
  }: { readonly schema?: string; readonly session?: Session } = {},
): Promise<number | undefined> {
  const database = session ?? connection;
  const [[own, tables] = [null, 0]] = await database.query<readonly [string | null, number]>(
    {
      text: `SELECT to_regclass($1)::text, (
        SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace($2) AND relkind IN ('r', 'p'))`,
    },
    [`${quoted(schema)}.schema_version`, quoted(schema)],
  );
  if (own !== null) {
    const text = `SELECT version FROM ${quoted(schema)}.schema_version`;
    const [[version] = []] = await database.query<readonly [number]>({ text });
    if (version !== undefined) return version;
  } else if (tables === 0) return undefined;
  const reason = `the schema ${schema} contains tables of another program. Choose another one, with ?schema=NAME`;
  throw new StoreFault('corrupt', `cannot use ${connection.where}: ${reason}`);
}

async function create(session: Session, schema: string): Promise<void> {
  // A user without the right to create schemas may own an existing one.
  const [[found] = [null]] = await session.query<readonly [string | null]>(
    { text: 'SELECT to_regnamespace($1)::text' },
    [quoted(schema)],
  );
  if (found === null) await session.script(`CREATE SCHEMA ${quoted(schema)}`);
  await session.script(
    `CREATE TABLE schema_version (version integer NOT NULL); INSERT INTO schema_version VALUES (${newestSchema})`,
  );
  await session.script(createTables);
}
