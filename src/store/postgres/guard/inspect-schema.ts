import type { StoreInspection } from '../../contract/place.ts';
import type { Link } from '../connection/link.ts';
import { requireSchema } from '../schema/create-schema.ts';
import { newestSchema } from '../schema/schema.ts';
import { quoted } from '../session/session.ts';
import {
  damaged,
  StoreFault,
  unfinishedCopy,
  unfinishedFault,
} from '../../contract/store-fault.ts';
import { declaredTables } from '../../tables/tables.ts';
import { toPgFault } from '../session/pg-fault.ts';

/**
 * Counts the rows of all tables.
 *
 * @throws StoreFault `absent`, `schema-older`, `schema-newer`, `corrupt` or `unavailable`.
 */
export async function inspectSchema(
  link: Link,
  { schema, name: where }: { readonly schema: string; readonly name: string },
): Promise<StoreInspection> {
  await requireSchema(link, { schema, where });
  const [[bytes] = [0]] = await link.query<readonly [number]>(
    {
      text: `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
        WHERE relnamespace = to_regnamespace($1) AND relkind = 'r'`,
    },
    [quoted(schema)],
  );
  const counted: [string, number][] = [];
  for (const table of tables) {
    const text = `SELECT count(*) FROM ${quoted(schema)}.${table}`;
    const [[rows] = [0]] = await link.query<readonly [number]>({ text });
    counted.push([table, rows]);
  }
  return {
    bytes,
    logBytes: 0,
    schema: newestSchema,
    rows: Object.fromEntries(counted),
  };
}

/**
 * Reads every row of every table, so that the server notices pages it cannot read or whose checksum is wrong,
 * and compares the number of closes in the table with that in its index.
 *
 * @throws StoreFault `corrupt`; `unavailable` when the database cannot be read or `signal` aborts.
 */
export async function checkTables(
  link: Link,
  { schema, name: where }: { readonly schema: string; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  await requireSchema(link, { schema, where });
  const stop = (): void => link.destroyIfSilent(0);
  signal.addEventListener('abort', stop);
  try {
    const session = await link.session();
    for (const table of tables) {
      if (signal.aborted) throw new StoreFault('unavailable', `the check of ${where} was stopped`);
      // The text of a row contains all its values, so large ones that are stored apart are read too.
      const whole = `SELECT count(*), count(octet_length(t::text)) FROM ${quoted(schema)}.${table} AS t`;
      const [[all, read] = [0, 0]] = await session.query<readonly [number, number]>({
        text: whole,
      });
      if (all !== read) throw damaged(where, `rows of ${table} cannot be read`);
    }
  } catch (error) {
    throw toPgFault(error, where);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The tables of an installation whose rows are counted and checked. */
const tables: readonly string[] = [
  'instruments',
  'closes',
  'replaced_closes',
  'changes',
  'sources',
  ...declaredTables.map(({ name }) => name),
  'quotes',
  'minute_bars',
  'session_bars',
];

/** Whether a schema is the target of a copy that is not complete. */
export async function isUnfinishedCopy(
  link: Pick<Link, 'query'>,
  schema: string,
): Promise<boolean> {
  const text = `SELECT 1 FROM ${quoted(schema)}.revisions WHERE subject = $1`;
  return (await link.query({ text }, [unfinishedCopy])).length > 0;
}

/**
 * Refuses the target of a copy that is not complete.
 *
 * @throws StoreFault `unfinished`
 */
export async function requireFinished(
  link: Pick<Link, 'query'>,
  { schema, where }: { readonly schema: string; readonly where: string },
): Promise<void> {
  if (!(await isUnfinishedCopy(link, schema))) return;
  throw unfinishedFault(where, `run: DROP SCHEMA ${quoted(schema)} CASCADE`);
}

/** Marks a schema as the target of a copy, or removes the mark. */
export async function markCopy(
  link: Pick<Link, 'query'>,
  schema: string,
  isUnfinished: boolean,
): Promise<void> {
  const table = `${quoted(schema)}.revisions`;
  const text = isUnfinished
    ? `INSERT INTO ${table} (subject, value) VALUES ($1, 1) ON CONFLICT DO NOTHING`
    : `DELETE FROM ${table} WHERE subject = $1`;
  await link.query({ text }, [unfinishedCopy]);
}
