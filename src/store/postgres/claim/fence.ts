import { StoreFault } from '../../contract/store-fault.ts';
import { hasEnded } from './lease-sql.ts';

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

/**
 * The fence of the holder of a claim. The token must be the current one. Each commit has a number that rises,
 * and is refused when a later one was stored: an attempt whose connection was given up may still arrive.
 *
 * @param lease the quoted name of the table.
 * @param requireHeld throws when this process knows that the claim is lost.
 */
export function claimedFence(own: {
  readonly lease: string;
  readonly where: string;
  readonly token: number;
  readonly requireHeld: () => void;
}): Fence {
  let commits = 0;
  return {
    sql: `UPDATE ${own.lease} SET commits = $2::bigint
      WHERE token = $1::bigint AND commits < $2::bigint RETURNING true AS ok`,
    values: () => {
      own.requireHeld();
      commits += 1;
      return [own.token, commits];
    },
    refused: () =>
      new StoreFault('fenced', `${own.where}: another writer has taken over, nothing was stored`),
  };
}
