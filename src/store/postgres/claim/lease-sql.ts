import { createHash } from 'node:crypto';

import { claimTiming } from '../../../cluster/timing.ts';
import { quoted, type Statement } from '../session/session.ts';
import { StoreFault } from '../../contract/store-fault.ts';

/** No lease ends later than this, unless the clock of the database was set back meanwhile, in milliseconds. */
const leaseMsMax = claimTiming.leaseMs + 1_000;

/**
 * Whether the lease has ended. A lease that ends too late is of a time before the clock of the database was set
 * back.
 */
const hasEnded = `(expires_at <= clock_timestamp()
  OR expires_at > clock_timestamp() + interval '${leaseMsMax} milliseconds')`;

/** The name of the table of the lease of a schema. */
export function leaseTable(schema: string): string {
  return `${quoted(schema)}.lease`;
}

/**
 * The name under which the sessions that write for a token are listed in `pg_stat_activity`. PostgreSQL changes
 * names that are long or not ASCII, so it contains a hash of the schema.
 */
export function writerName(token: number, schema: string): string {
  const hash = createHash('sha256').update(schema).digest('hex').slice(0, 16);
  return `pizarra write ${token} ${hash}`;
}

/** The clock of the database, in epoch milliseconds. */
export const databaseMs = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

/**
 * A holder as a row: its id and name, the record of its node, the rest of its lease in milliseconds, its token,
 * and the clock of the database.
 */
export type HolderRow = readonly [
  id: string | null,
  name: string | null,
  record: string | null,
  endsInMs: number,
  token: number,
  databaseMs: number,
];

const until = `clock_timestamp() + interval '${claimTiming.leaseMs} milliseconds'`;

/**
 * The statements of the claim. All times are of the clock of the database, so the clocks of the nodes make no
 * difference. The lease is locked for the time of one statement only.
 */
export const leaseSql = {
  // $1: holder, $2: its name. The present holder gets the claim again, because the response to its try may
  // have been lost.
  claim: {
    name: 'claim',
    text: `
      UPDATE lease SET token = token + 1, commits = 0, holder = $1, name = $2, expires_at = ${until}
      WHERE ${hasEnded} OR holder = $1
      RETURNING token`,
  },

  renew: {
    name: 'renew',
    text: `UPDATE lease SET expires_at = ${until} WHERE token = $1 RETURNING ${databaseMs}`,
  },

  // $1: token, $2: channel. A stand-by that listens tries at once.
  release: {
    name: 'release',
    text: `
      WITH released AS (
        UPDATE lease SET expires_at = '-infinity', holder = NULL, name = NULL WHERE token = $1 RETURNING token
      )
      SELECT pg_notify($2, 'claim') FROM released`,
  },

  // $1: the name of the sessions. A commit of a frozen holder may be stuck at a lock.
  terminate: {
    name: 'terminate',
    text: `
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity, lease
      WHERE application_name = $1 AND datname = current_database() AND usename = current_user
        AND ${hasEnded}`,
  },
} as const satisfies Readonly<Record<string, Statement>>;

/** The statement that reads the holder of the lease of a schema, which need not be that of the session. */
export function holderSql(schema: string): Statement {
  return {
    name: 'holder',
    text: `
      SELECT holder, name, (SELECT record FROM ${quoted(schema)}.nodes WHERE id = holder),
        CASE WHEN ${hasEnded} THEN 0
          ELSE extract(epoch FROM expires_at - clock_timestamp())::float8 * 1000 END,
        token, ${databaseMs}
      FROM ${leaseTable(schema)}`,
  };
}

/** What a commit must prove to be stored. */
export interface Fence {
  /** SQL that has one row if the commit may be stored, and locks the lease until the commit ends. */
  readonly sql: string;
  /**
   * The values of `$1` and `$2` in {@link sql}, for one attempt.
   *
   * @throws StoreFault `fenced` when this process knows that the claim is lost.
   */
  values(): readonly [number, number];
  /** The fault of a commit that was refused. */
  refused(): StoreFault;
}

/**
 * The fence of a process without a claim. It accepts a commit only while no node holds the claim. Commands that
 * write quotes, such as `store copy`, use it.
 *
 * @param lease the quoted name of the table.
 */
export function unclaimedFence(lease: string, where: string): Fence {
  return {
    // The values are used, so that all fences have the same parameters.
    sql: `SELECT true AS ok FROM ${lease}
      WHERE ${hasEnded} AND $1::bigint = 0 AND $2::bigint = 0 FOR SHARE`,
    values: () => [0, 0],
    refused: () =>
      new StoreFault('fenced', `${where}: another process holds the claim. Stop it first`),
  };
}
