import { claimTiming, type ClaimTiming } from './timing.ts';

/**
 * What the owner of a {@link Lease} does now. `renew`: send a renewal. `abandon`: the renewal under way
 * has no response in time, so destroy its connection, then ask again. `stop`: the claim is lost, stop
 * writing. `wait`: nothing before {@link Lease.wakeAt}.
 */
export type LeaseAction = 'wait' | 'renew' | 'abandon' | 'stop';

/** Why a claim was lost. `expired`: by the holder's own clock. `fenced`: the database said so. */
export type LeaseLoss = 'expired' | 'fenced';

/**
 * The claim of one writer, as the writer itself knows it. The lease ends by the clock of the database.
 * The holder counts it from the moment *before* it sent the request, on its own monotonic clock, and
 * stops `marginMs` earlier. So it stops before the database can lend the claim to another, unless the
 * process is suspended. A suspended process asks {@link mayWrite} first when it resumes.
 *
 * The lease does not protect the data: the database checks the token inside each commit, whatever the
 * holder believes (docs/decisions/0013). The lease makes the holder stop early and the stand-bys start
 * early.
 *
 * A lost claim stays lost, even if no other node has got it. The holder claims again, gets a higher token, and
 * reads the stored quotes again.
 *
 * All times are milliseconds of one monotonic clock of the holder.
 */
export class Lease {
  /** Rises with every grant. Each commit carries it. */
  readonly token: number;
  readonly #timing: ClaimTiming;
  /** From this time on the holder must not write. */
  #endsAt: number;
  #renewAt: number;
  /** When the renewal under way was sent; undefined when none is. */
  #sentAt: number | undefined;
  #lostBy: LeaseLoss | undefined;

  /** @param grant the token, and when the request that got it was sent. */
  constructor(
    grant: { readonly token: number; readonly sentAt: number },
    timing: ClaimTiming = claimTiming,
  ) {
    this.token = grant.token;
    this.#timing = timing;
    this.#endsAt = grant.sentAt + timing.leaseMs - timing.marginMs;
    this.#renewAt = grant.sentAt + timing.renewEveryMs;
  }

  /** Undefined while the claim is held. */
  get lostBy(): LeaseLoss | undefined {
    return this.#lostBy;
  }

  /** When {@link step} must be called again, at the latest. Infinity when the claim is lost. */
  get wakeAt(): number {
    if (this.#lostBy !== undefined) return Infinity;
    const next =
      this.#sentAt === undefined ? this.#renewAt : this.#sentAt + this.#timing.requestLimitMs;
    return Math.min(this.#endsAt, next);
  }

  /** Whether a commit may be sent now. Ask immediately before sending. */
  mayWrite(now: number): boolean {
    if (now >= this.#endsAt) this.#lostBy ??= 'expired';
    return this.#lostBy === undefined;
  }

  /** What to do now. After `renew` the renewal counts as sent at `now`. */
  step(now: number): LeaseAction {
    if (!this.mayWrite(now)) return 'stop';
    if (this.#sentAt !== undefined) {
      if (now - this.#sentAt < this.#timing.requestLimitMs) return 'wait';
      this.#sentAt = undefined;
      this.#renewAt = now;
      return 'abandon';
    }
    if (now < this.#renewAt) return 'wait';
    this.#sentAt = now;
    return 'renew';
  }

  /**
   * The database has extended the lease.
   *
   * @param sentAt when that renewal was sent. A late response to an abandoned renewal is true as well.
   */
  renewed(sentAt: number): void {
    this.#endsAt = Math.max(this.#endsAt, sentAt + this.#timing.leaseMs - this.#timing.marginMs);
    if (sentAt !== this.#sentAt) return;
    this.#sentAt = undefined;
    this.#renewAt = sentAt + this.#timing.renewEveryMs;
  }

  /** The renewal sent at `sentAt` got an error, or its connection closed. Whether it was executed is unknown. */
  renewalFailed(sentAt: number, now: number): void {
    if (sentAt !== this.#sentAt) return;
    this.#sentAt = undefined;
    this.#renewAt = now + this.#timing.retryFirstMs;
  }

  /** The database refused a renewal or a commit, because the token is not the current one. */
  fenced(): void {
    this.#lostBy ??= 'fenced';
  }
}
