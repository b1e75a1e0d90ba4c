/** When a node counts as behind the others, in milliseconds. */
export const behindTiming = {
  /** Time without a successful read of the database after which a node asks the others. */
  afterMs: 10_000,
  /**
   * Maximum age of the last read of a node that can read the database. All nodes that lose a database together
   * have read it within a second or two of each other, so none of them finds another one ahead.
   */
  readableMsMax: 5_000,
  /** Pause between two rounds of questions. */
  askEveryMs: 1_000,
} as const;

/** Whether a node that read the database so long ago asks the others whether they can read it. */
export function mustAsk(ownAgeMs: number): boolean {
  return ownAgeMs >= behindTiming.afterMs;
}

/**
 * Whether this node is behind: it has not read the database for a while, and another node can. If none can, the
 * database is down for all of them, and each continues to serve.
 *
 * @param ownAgeMs time since this node last read the database, in milliseconds.
 * @param otherAgesMs the same of the nodes that have responded.
 */
export function isBehind(ownAgeMs: number, otherAgesMs: readonly number[]): boolean {
  return mustAsk(ownAgeMs) && otherAgesMs.some((age) => age <= behindTiming.readableMsMax);
}
