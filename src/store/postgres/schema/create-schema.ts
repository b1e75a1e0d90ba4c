import { StoreFault, requireVersion } from '../../contract/store-fault.ts';
import type { Link } from '../connection/link.ts';
import { toPgFault } from '../session/pg-fault.ts';
import { quoted, type Session } from '../session/session.ts';
import { createTables, newestSchema } from './schema.ts';

/** "PIZA" in ASCII, the class of this program's advisory locks. */
export const lockClass = 0x50_49_5a_41;

/**
 * Creates the schema where none exists. A schema that exists is not locked, so nothing delays a writer that starts.
 *
 * @param open a link for a statement that may take long.
 * @param lost gives up, when it aborts.
 */
export async function createMissing(
  link: Link,
  place: { readonly schema: string; readonly where: string },
  open: () => Link,
  lost?: AbortSignal,
): Promise<void> {
  if ((await schemaVersion(link, place)) !== undefined) return;
  await using creating = open();
  const session = await creating.session();
  lost?.addEventListener('abort', () => session.destroy(), { once: true });
  await createSchema(session, place);
}

/**
 * Creates the schema where none exists, in one transaction. An advisory lock is taken before the version is read:
 * when two programs start at once, one of them creates the schema, and the other finds it.
 *
 * @throws StoreFault `corrupt`. Nothing is changed then.
 */
export async function createSchema(
  session: Session,
  place: { readonly schema: string; readonly where: string },
): Promise<void> {
  const { schema, where } = place;
  try {
    await session.query({ text: 'BEGIN' });
    await session.query({ text: `SELECT pg_advisory_xact_lock(${lockClass}, hashtext($1))` }, [
      schema,
    ]);
    if ((await schemaVersion(session, place)) === undefined) await create(session, schema);
    await session.query({ text: 'COMMIT' });
  } catch (error) {
    // Without it, the session would keep the lock.
    session.destroy();
    throw toPgFault(error, where);
  }
}

/**
 * Refuses every schema other than the one of this program. It changes nothing and takes no lock.
 *
 * @throws StoreFault `absent`, `schema-older`, `schema-newer` or `corrupt`.
 */
export async function requireSchema(
  link: Pick<Link, 'query'>,
  { schema, where }: { readonly schema: string; readonly where: string },
): Promise<void> {
  const version = await schemaVersion(link, { schema, where });
  if (version === undefined) {
    const advice = 'Run "pizarra serve" or "pizarra import" to create one';
    throw new StoreFault('absent', `${where} has no store. ${advice}`);
  }
  requireVersion(where, { version, needed: newestSchema, another: 'schema' });
}

/** The version of the schema; undefined if it does not exist or is empty. */
export async function schemaVersion(
  database: Pick<Session | Link, 'query'>,
  { schema, where }: { readonly schema: string; readonly where: string },
): Promise<number | undefined> {
  const [[own, tables] = [null, 0]] = await database.query<readonly [string | null, number]>(
    {
      text: `SELECT to_regclass($1)::text, (
        SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace($2) AND relkind IN ('r', 'p'))`,
    },
    [`${quoted(schema)}.schema_version`, quoted(schema)],
  );
  if (own !== null) {
    const rows = await database.query<readonly [number]>({
      text: `SELECT version FROM ${quoted(schema)}.schema_version`,
    });
    const [[version] = []] = rows;
    if (version !== undefined) return version;
  } else if (tables === 0) return undefined;
  const reason = `the schema ${schema} contains tables of another program. Choose another one, with ?schema=NAME`;
  throw new StoreFault('corrupt', `cannot use ${where}: ${reason}`);
}

async function create(session: Session, schema: string): Promise<void> {
  // A user that may not create schemas may own one.
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
