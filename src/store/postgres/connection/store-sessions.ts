import type { FindOptions } from './find-session.ts';

/** Maximum time of a statement that a request or the writer waits for, in milliseconds. */
const statementMs = 3_000;

/**
 * Maximum time that a commit waits for a row that an import has locked, in milliseconds. The commit itself
 * keeps the lease locked meanwhile, and the lease must be renewed.
 */
const commitLockMs = 500;

/** Maximum time to wait for an import of another process, in milliseconds. Then the fault is `busy`. */
const importLockMs = 30_000;

/** Maximum time of a statement within an import, in milliseconds: the last one stores all its closes. */
const importMs = 3_600_000;

const limits = { isReadOnly: false, statementMs, lockMs: 0 };

/** The sessions of a store, by what each is for. */
export const storeSessions = {
  read: { ...limits, isReadOnly: true },
  write: { ...limits, lockMs: commitLockMs },
  change: limits,
  import: { ...limits, statementMs: importMs, lockMs: importLockMs },
  create: { ...limits, statementMs: importMs },
} as const satisfies Readonly<Record<string, Omit<FindOptions, 'applicationName'>>>;

/** What a session of a store is for. */
export type StorePurpose = keyof typeof storeSessions;
