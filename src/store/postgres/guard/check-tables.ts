import { damaged } from '../../encoding/damaged.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import type { Link } from '../connection/link.ts';
import { toPgFault } from '../session/pg-fault.ts';
import { requireSchema } from '../schema/create-schema.ts';
import { quoted } from '../session/quoted.ts';
import { tables } from './tables.ts';

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
