/**
 * The rules of the protocol (docs/decisions/0013). Each can be switched off, to show that the simulation
 * notices what it protects from.
 */
export interface Guards {
  /** A grant of the claim raises the token. */
  readonly raiseToken: boolean;
  /** A commit compares its token with that of the claim. */
  readonly checkToken: boolean;
  /** A commit locks the claim from the comparison to its end. */
  readonly lockClaim: boolean;
  /** The attempts of a writer to commit are numbered, and one is refused after a later one. */
  readonly numberAttempts: boolean;
  /** A commit stores a row only where its version is not lower than the stored one. */
  readonly storeOnlyNewer: boolean;
  /** The database lends the claim to another when the lease has ended. */
  readonly takeExpired: boolean;
  /** A planned stop releases the claim. */
  readonly releaseOnStop: boolean;
  /** Updates are acknowledged after their commit, not before. */
  readonly acknowledgeAfterCommit: boolean;
  /** A holder that loses the claim drops the quotes that it has not stored. */
  readonly dropOnLoss: boolean;
  /** A new writer reads the stored quotes after the grant, not before it. */
  readonly restoreAfterClaim: boolean;
  /** The holder asks before each commit whether its lease has ended. */
  readonly stopAtExpiry: boolean;
  /** The holder counts its lease on a monotonic clock, not on the wall clock. */
  readonly monotonicLease: boolean;
  /** The holder counts its lease from before the request, not from the response. */
  readonly countFromRequest: boolean;
  /** A follower pulls everything newer than its position, not only what a hint names. */
  readonly pullAllNewer: boolean;
  /** A follower pulls every second, not only on a hint. */
  readonly pullWithoutHint: boolean;
  /** A follower adopts only what is newer, from a pull that it still waits for. */
  readonly adoptOnlyNewer: boolean;
  /** A revision with several writers is taken under a lock that lasts until the commit. */
  readonly revisionUnderLock: boolean;
  /** A node refuses a server on an older line than it knows. */
  readonly refuseOlderLine: boolean;
  /** A node asks the others which line they know: before it uses a server, before it claims, and every second. */
  readonly askOthers: boolean;
  /** A node whose clock differs from that of the database does not claim, and a writer releases the claim. */
  readonly rightClock: boolean;
}

export const allGuards: Guards = {
  raiseToken: true,
  checkToken: true,
  lockClaim: true,
  numberAttempts: true,
  storeOnlyNewer: true,
  takeExpired: true,
  releaseOnStop: true,
  acknowledgeAfterCommit: true,
  dropOnLoss: true,
  restoreAfterClaim: true,
  stopAtExpiry: true,
  monotonicLease: true,
  countFromRequest: true,
  pullAllNewer: true,
  pullWithoutHint: true,
  adoptOnlyNewer: true,
  revisionUnderLock: true,
  refuseOlderLine: true,
  askOthers: true,
  rightClock: true,
};
