import { DatabaseError } from 'pg';

import type { Line } from '../../../cluster/lineage.ts';
import type { Session } from '../session/session.ts';

/** What a server is. */
export interface ServerState {
  /** Whether it follows another server, and so accepts no writes. */
  readonly isStandby: boolean;
  /** Undefined when the user may not read it, or the server does not have it. */
  readonly line: Line | undefined;
}

/**
 * The timeline of a primary is that of the log that it writes now: the last checkpoint may be of the timeline
 * before. A standby has received at least what its control file says. No function needs a right that users do not
 * have by default.
 */
const text = `
  SELECT pg_is_in_recovery(), system_identifier::text,
    CASE WHEN pg_is_in_recovery()
      THEN (SELECT greatest(timeline_id, min_recovery_end_timeline)
        FROM pg_control_checkpoint(), pg_control_recovery())
      ELSE ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 16, '0'))::bit(64)::bigint END
  FROM pg_control_system()`;

/** insufficient_privilege, feature_not_supported, undefined_function: a service that is not PostgreSQL itself. */
const unknown: ReadonlySet<string> = new Set(['42501', '0A000', '42883']);

/**
 * Asks a server what it is.
 *
 * @throws the error of the driver.
 */
export async function readServer(session: Session, limitMs: number): Promise<ServerState> {
  try {
    const rows = await session.query<readonly [boolean, string, number]>({ text }, [], { limitMs });
    const [row] = rows;
    if (row === undefined) return { isStandby: true, line: undefined };
    const [isStandby, system, timeline] = row;
    return { isStandby, line: { system, timeline } };
  } catch (error) {
    if (!(error instanceof DatabaseError) || !unknown.has(error.code ?? '')) throw error;
  }
  const [[isStandby] = [true]] = await session.query<readonly [boolean]>(
    { text: 'SELECT pg_is_in_recovery()' },
    [],
    { limitMs },
  );
  return { isStandby, line: undefined };
}
