import type { StoreInspection } from '../../contract/place-report.ts';
import type { Link } from '../connection/link.ts';
import { requireSchema } from '../schema/create-schema.ts';
import { newestSchema } from '../schema/schema.ts';
import { quoted } from '../session/quoted.ts';
import { tables } from './tables.ts';

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
