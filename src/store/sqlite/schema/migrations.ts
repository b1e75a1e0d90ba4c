import type { DatabaseSync } from 'node:sqlite';

import { closesAndKeys } from './migrations/0001-closes-and-keys.ts';
import { latestQuotes } from './migrations/0002-latest-quotes.ts';
import { keyLife } from './migrations/0003-key-life.ts';
import { commitCount } from './migrations/0004-commit-count.ts';
import { closeSources } from './migrations/0005-close-sources.ts';
import { corporateActions } from './migrations/0006-corporate-actions.ts';
import { minuteBars } from './migrations/0007-minute-bars.ts';
import { seals } from './migrations/0008-seals.ts';
import { indices } from './migrations/0009-indices.ts';
import { changes } from './migrations/0010-changes.ts';
import { terms } from './migrations/0011-terms.ts';

/** SQL, or what needs more than SQL. It runs within a transaction. */
export type MigrationStep = string | ((database: DatabaseSync, path: string) => void);

/**
 * The steps from an empty file to the newest schema, in order. The version of a schema is the number of
 * its last step, counted from 1. A step that has been released is never edited.
 */
export const migrations: readonly MigrationStep[] = [
  closesAndKeys,
  latestQuotes,
  keyLife,
  commitCount,
  closeSources,
  corporateActions,
  minuteBars,
  seals,
  indices,
  changes,
  terms,
];
