import { StoreFault } from '../../contract/store-fault.ts';
import type { Link } from '../connection/link.ts';
import { toPgFault } from '../session/pg-fault.ts';
import type { Session } from '../session/session.ts';
import { quoted } from '../session/quoted.ts';

/** "PIZA" in ASCII, the class of this program's advisory locks. */
export const lockClass = 0x50_49_5a_41;

/**
 * Creates the newest schema where none exists, and with `mayUpgrade` upgrades an older one, in one
 * transaction: either all steps run or none. An advisory lock is taken before the version is read. When two
 * programs start at once, one of them changes the schema, and the other finds it up to date.
 *
 * @throws StoreFault `schema-newer`, `schema-older` or `corrupt`. Nothing is changed then.
 */
export async function migrate(
  session: Session,
  place: { readonly schema: string; readonly where: string },
  { steps, mayUpgrade }: { readonly steps: readonly string[]; readonly mayUpgrade: boolean },
): Promise<void> {
  const { schema, where } = place;
  try {
    await session.query({ text: 'BEGIN' });
    await session.query({ text: `SELECT pg_advisory_xact_lock(${lockClass}, hashtext($1))` }, [
      schema,
    ]);
    const version = await schemaVersion(session, place);
    if (version === undefined) await create(session, schema);
    const from = version ?? 0;
    if (from > 0 && !mayUpgrade) requireNewest(from, where, steps.length);
    if (from > steps.length) requireNewest(from, where, steps.length);
    for (const step of steps.slice(from)) await session.script(step);
    await session.query({ text: 'UPDATE schema_version SET version = $1' }, [steps.length]);
    await session.query({ text: 'COMMIT' });
  } catch (error) {
    // Without it, the session would keep the lock.
    session.destroy();
    throw toPgFault(error, where);
  }
}

/**
 * Refuses every schema other than the newest. It changes nothing and takes no lock.
 *
 * @param oldest an older schema is accepted down to this one.
 * @throws StoreFault `absent`, `schema-older`, `schema-newer` or `corrupt`.
 */
export async function requireSchema(
  link: Pick<Link, 'query'>,
  { schema, where }: { readonly schema: string; readonly where: string },
  { newest, oldest = newest }: { readonly newest: number; readonly oldest?: number },
): Promise<void> {
  const version = await requireExisting(link, { schema, where });
  if (version < oldest || version > newest) requireNewest(version, where, newest);
}

/**
 * The version of a schema that exists.
 *
 * @throws StoreFault `absent` or `corrupt`.
 */
export async function requireExisting(
  link: Pick<Link, 'query'>,
  place: { readonly schema: string; readonly where: string },
): Promise<number> {
  const version = await schemaVersion(link, place);
  if (version !== undefined) return version;
  const advice = 'Run "pizarra serve" or "pizarra import" to create one';
  throw new StoreFault('absent', `${place.where} has no store. ${advice}`);
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
    'CREATE TABLE schema_version (version integer NOT NULL); INSERT INTO schema_version VALUES (0)',
  );
}

function requireNewest(version: number, where: string, newest: number): void {
  if (version === newest) return;
  if (version > newest) {
    throw new StoreFault(
      'schema-newer',
      `${where} was written by a newer version of Pizarra: it has schema ${version}, and this version ` +
        `supports schema ${newest}. Run the newer version, or choose another schema`,
    );
  }
  throw new StoreFault(
    'schema-older',
    `${where} has schema ${version} of an older version of Pizarra, and this version needs schema ` +
      `${newest}. Make a backup, then start "pizarra serve" of this version, which upgrades the ` +
      'schema. Until then, use the older version',
  );
}
