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
export async function inspectSchema(connection: ReconnectingSession): Promise<StoreInspection> {
  await requireSchema(connection);
  const rows: Record<string, number> = {};
  let bytes = 0;
  for (const [table, size] of await tablesOf(connection)) {
    bytes += size;
    const text = `SELECT count(*) FROM ${quoted(table)}`;
    const [[count] = [0]] = await connection.query<readonly [number]>({ text });
    rows[table] = count;
  }
  await requireFinished(connection);
  return { bytes, logBytes: 0, schema: newestSchema, rows };
}

/**
 * Reads every row of every table, so that the server notices pages it cannot read or whose checksum is wrong,
 * and compares the number of rows in each table with that in its index.
 *
 * @throws StoreFault `corrupt`; `unavailable` when the database cannot be read or `signal` aborts.
 */
export async function checkTables(
  connection: ReconnectingSession,
  signal: AbortSignal,
): Promise<void> {
  await requireSchema(connection);
  const stop = (): void => connection.destroyIfSilent(0);
  signal.addEventListener('abort', stop);
  try {
    const tables = await tablesOf(connection);
    const session = await connection.session();
    for (const [table] of tables) {
      if (signal.aborted) {
        throw new StoreFault('unavailable', `the check of ${connection.where} was stopped`);
      }
      // The text of a row contains all its values, so large ones that are stored apart are read too.
      const text = `SELECT count(*), count(octet_length(t::text)) FROM ${quoted(table)} AS t`;
      const [[all, read] = [0, 0]] = await session.query<readonly [number, number]>({ text });
      if (all !== read) throw damaged(connection.where, `rows of ${table} cannot be read`);
    }
  } catch (error) {
    throw toPgFault(error, connection.where);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function tablesOf(
  connection: ReconnectingSession,
): Promise<readonly (readonly [name: string, bytes: number])[]> {
  return connection.query<readonly [string, number]>({ text: tablesText }, [
    quoted(connection.schema),
  ]);
}

/** Whether a schema is the target of a copy that is not complete. */
export async function isUnfinishedCopy(connection: ReconnectingSession): Promise<boolean> {
  return (await connection.query({ text: copyMark.find })).length > 0;
}

/**
 * Refuses the target of a copy that is not complete.
 *
 * @throws StoreFault `unfinished`
 */
export async function requireFinished(connection: ReconnectingSession): Promise<void> {
  if (!(await isUnfinishedCopy(connection))) return;
  throw unfinishedFault(connection.where, `run: DROP SCHEMA ${quoted(connection.schema)} CASCADE`);
}

/** Marks a schema as the target of a copy, or removes the mark. */
export async function markCopy(
  connection: ReconnectingSession,
  isUnfinished: boolean,
): Promise<void> {
  await connection.query({ text: isUnfinished ? copyMark.set : copyMark.remove });
}
