import { damaged } from '../../encoding/damaged.ts';
import type { Link } from '../connection/link.ts';
import type { RevisionSubject } from '../../sql/sql.ts';

/**
 * The current revision of a subject, from the database.
 *
 * @throws StoreFault
 */
export async function readRevision(link: Link, subject: RevisionSubject): Promise<number> {
  const [row] = await link.query<readonly [number]>(
    { name: 'revision', text: 'SELECT value FROM revisions WHERE subject = $1' },
    [subject],
  );
  if (row === undefined) throw damaged(link.where, `the revision of ${subject} is missing`);
  return row[0];
}
