/** The limits of a session. */
interface SessionLimits {
  readonly isReadOnly: boolean;
  /**
   * Maximum time of a statement, in milliseconds. The server cancels the statement then. If the server does
   * not, the connection is destroyed a little later. 0: no limit.
   */
  readonly statementMs: number;
  /** Maximum time to wait for a lock, in milliseconds. 0: no limit but that of the statement. */
  readonly lockMs: number;
}

/** What a request or the writer waits for. */
const usual = { isReadOnly: false, statementMs: 3_000, lockMs: 0 };

/** Statements of the place itself. One about the lease waits a little for another node that has locked it. */
const short = { isReadOnly: false, statementMs: 1_000, lockMs: 300 };

/** What a host is, and the revisions. */
const glance = { isReadOnly: true, statementMs: 1_000, lockMs: 0 };

/** The last statement of an import stores all its closes, and a check reads all rows. */
const wholeMs = 3_600_000;

/** The sessions of a process, by what each is for. Their names in `pg_stat_activity` contain it. */
export const sessionLimits = {
  probe: glance,
  'stand-by': glance,
  watch: glance,
  place: short,
  claim: short,
  accept: short,
  read: { ...usual, isReadOnly: true },
  // A commit keeps the lease locked while it waits for a row that an import has locked, and the lease must be renewed.
  write: { ...usual, lockMs: 500 },
  change: usual,
  // It may wait for an import of another process.
  import: { isReadOnly: false, statementMs: wholeMs, lockMs: 30_000 },
  create: { ...usual, statementMs: wholeMs },
  inspect: { isReadOnly: true, statementMs: wholeMs, lockMs: 0 },
  check: { isReadOnly: true, statementMs: wholeMs, lockMs: 0 },
} as const satisfies Readonly<Record<string, SessionLimits>>;

export type SessionPurpose = keyof typeof sessionLimits;

/** The name of a session, for the administrator of the database. */
export function sessionName(purpose: SessionPurpose | 'reserved', schema: string): string {
  return `pizarra ${purpose} ${schema}`;
}
