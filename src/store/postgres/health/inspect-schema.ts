import type { StoreInspection } from '../../contract/place.ts';
import { copyMark, damaged, StoreFault, unfinishedFault } from '../../contract/store-fault.ts';
import type { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { requireSchema } from '../schema/create-schema.ts';
import { newestSchema } from '../schema/schema.ts';
import { toPgFault } from '../session/pg-fault.ts';
import { quoted } from '../session/session.ts';

/** The tables of a schema, by name, and their size with their indexes. */
const tablesText = `
  SELECT relname, pg_total_relation_size(oid)::bigint FROM pg_class
  WHERE relnamespace = to_regnamespace($1) AND relkind = 'r' ORDER BY relname`;

/**
 * Counts the rows of all tables.
 *
 * @throws StoreFault `absent`, `schema-older`, `schema-newer`, `unfinished`, `corrupt` or `unavailable`.
 */
export async function inspectSchema(link: ReconnectingSession): Promise<StoreInspection> {
  await requireSchema(link);
  const rows: Record<string, number> = {};
  let bytes = 0;
  for (const [table, size] of await tablesOf(link)) {
    bytes += size;
    const text = `SELECT count(*) FROM ${quoted(table)}`;
    const [[count] = [0]] = await link.query<readonly [number]>({ text });
    rows[table] = count;
  }
  await requireFinished(link);
  return { bytes, logBytes: 0, schema: newestSchema, rows };
}

/**
 * Reads every row of every table, so that the server notices pages it cannot read or whose checksum is wrong,
 * and compares the number of rows in each table with that in its index.
 *
 * @throws StoreFault `corrupt`; `unavailable` when the database cannot be read or `signal` aborts.
 */
export async function checkTables(link: ReconnectingSession, signal: AbortSignal): Promise<void> {
  await requireSchema(link);
  const stop = (): void => link.destroyIfSilent(0);
  signal.addEventListener('abort', stop);
  try {
    const tables = await tablesOf(link);
    const session = await link.session();
    for (const [table] of tables) {
      if (signal.aborted) {
        throw new StoreFault('unavailable', `the check of ${link.where} was stopped`);
      }
      // The text of a row contains all its values, so large ones that are stored apart are read too.
      const text = `SELECT count(*), count(octet_length(t::text)) FROM ${quoted(table)} AS t`;
      const [[all, read] = [0, 0]] = await session.query<readonly [number, number]>({ text });
      if (all !== read) throw damaged(link.where, `rows of ${table} cannot be read`);
    }
  } catch (error) {
    throw toPgFault(error, link.where);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function tablesOf(
  link: ReconnectingSession,
): Promise<readonly (readonly [name: string, bytes: number])[]> {
  return link.query<readonly [string, number]>({ text: tablesText }, [quoted(link.schema)]);
}

/** Whether a schema is the target of a copy that is not complete. */
export async function isUnfinishedCopy(link: ReconnectingSession): Promise<boolean> {
  return (await link.query({ text: copyMark.find })).length > 0;
}

/**
 * Refuses the target of a copy that is not complete.
 *
 * @throws StoreFault `unfinished`
 */
export async function requireFinished(link: ReconnectingSession): Promise<void> {
  if (!(await isUnfinishedCopy(link))) return;
  throw unfinishedFault(link.where, `run: DROP SCHEMA ${quoted(link.schema)} CASCADE`);
}

/** Marks a schema as the target of a copy, or removes the mark. */
export async function markCopy(link: ReconnectingSession, isUnfinished: boolean): Promise<void> {
  await link.query({ text: isUnfinished ? copyMark.set : copyMark.remove });
}
