/**
 * The times of the claim, in milliseconds. A crashed or frozen writer is replaced within `leaseMs`, the time
 * of one try, and the time in which the new writer reads the quotes: within 3.5 seconds, of which a second
 * is a reserve for a busy machine.
 */
export interface ClaimTiming {
  /** The database lends the claim for this time, by its own clock, with each grant and each renewal. */
  readonly leaseMs: number;
  /**
   * The holder stops writing this long before the lease can end at the database. It covers the
   * difference in speed between the two clocks, and the time that the holder needs to stop.
   */
  readonly marginMs: number;
  /** The holder renews its lease this long after the previous request. */
  readonly renewEveryMs: number;
  /** A try, a renewal, a connection or a pull without a response within this time has failed. */
  readonly requestLimitMs: number;
  /** A stand-by tries at least this often. A release whose notification is lost costs this time. */
  readonly tryEveryMs: number;
  /** First pause after a failed request. The pause doubles with each further failure. */
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
}

export const claimTiming: ClaimTiming = {
  leaseMs: 2_500,
  marginMs: 250,
  renewEveryMs: 800,
  requestLimitMs: 700,
  tryEveryMs: 1_000,
  retryFirstMs: 100,
  retryMaxMs: 500,
};

/** The times of a follower, in milliseconds. */
export interface FollowTiming {
  /** A follower pulls at least this often. A lost hint costs this time. */
  readonly pullEveryMs: number;
  /**
   * A connection attempt or a pull without a response within this time has failed. Infinity when what is
   * below the follower ends a request that takes too long.
   */
  readonly requestLimitMs: number;
  /** First pause before a failed connection is replaced. The pause doubles with each further failure. */
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
}

/** For a follower with a connection of its own. A half-open connection is noticed within `pullEveryMs` and `requestLimitMs`: 2 seconds. */
export const followTiming: FollowTiming = {
  pullEveryMs: 1_000,
  requestLimitMs: 1_000,
  retryFirstMs: 100,
  retryMaxMs: 2_000,
};

/**
 * For a follower of a store, which connects by itself and ends a statement that takes too long. A slow pull is
 * awaited: giving it up would only repeat it.
 */
export const storeFollowTiming: FollowTiming = { ...followTiming, requestLimitMs: Infinity };
