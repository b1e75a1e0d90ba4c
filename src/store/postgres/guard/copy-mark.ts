import { unfinishedCopy, unfinishedFault } from '../../encoding/unfinished-copy.ts';
import type { Link } from '../connection/link.ts';
import { quoted } from '../session/quoted.ts';

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
