import { everything } from './migrations/0001-everything.ts';
import { quoteChanges } from './migrations/0002-quote-changes.ts';
import { indices } from './migrations/0003-indices.ts';
import { changes } from './migrations/0004-changes.ts';
import { terms } from './migrations/0005-terms.ts';

/**
 * The steps from an empty schema to the newest one, in order, as those of SQLite. The version of a schema is
 * the number of its last step, counted from 1. A step that has been released is never edited.
 */
export const migrations: readonly string[] = [everything, quoteChanges, indices, changes, terms];

/**
 * The oldest schema that a process can read that does not write. So a node that was upgraded first serves while
 * the writer is of the version before. A step without which reading is impossible raises it.
 */
export const readableSince = 1;
