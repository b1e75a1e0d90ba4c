import { everything } from './migrations/0001-everything.ts';

/**
 * The steps from an empty schema to the newest one, in order, as those of SQLite. The version of a schema is
 * the number of its last step, counted from 1. A step that has been released is never edited.
 */
export const migrations: readonly string[] = [everything];
