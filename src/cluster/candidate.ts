import { backoffMs } from '../lib/time/backoff.ts';
import { Lease } from './lease.ts';
import { claimTiming, type ClaimTiming } from './timing.ts';

/**
 * What the owner of a {@link Candidate} does now. `claim`: try to get the claim. `abandon`: the try under
 * way has no response in time, so destroy its connection, then ask again. `wait`: nothing before
 * {@link Candidate.wakeAt}.
 */
export type CandidateAction = 'wait' | 'claim' | 'abandon';

/** `standing-by` → `claiming` → `holding` → `standing-by` … */
export type CandidateState = 'standing-by' | 'claiming' | 'holding';

/**
 * A node that may become the writer: it decides when to try to get the claim. It tries when the lease of
 * the holder ends, when it hears that the claim was released, and at least once every `tryEveryMs`.
 * A failed try is repeated after a pause that grows.
 *
 * A try whose response is lost may have been granted. So the database must grant the claim to its
 * present holder again, with a higher token. The name of a holder must therefore be unique for each run
 * of a process.
 *
 * All times are milliseconds of one monotonic clock of the node.
 */
export class Candidate {
  readonly #timing: ClaimTiming;
  readonly #random: () => number;
  #state: CandidateState = 'standing-by';
  #tryAt = -Infinity;
  #sentAt = -Infinity;
  #failures = 0;
  /** Whether the claim was released during a try. The try may have reached the database before the release. */
  #wasReleased = false;

  /** @param random returns numbers from 0 (inclusive) to 1 (exclusive). */
  constructor(random: () => number, timing: ClaimTiming = claimTiming) {
    this.#random = random;
    this.#timing = timing;
  }

  get state(): CandidateState {
    return this.#state;
  }

  /** When {@link step} must be called again, at the latest. */
  get wakeAt(): number {
    if (this.#state === 'standing-by') return this.#tryAt;
    return this.#state === 'claiming' ? this.#sentAt + this.#timing.requestLimitMs : Infinity;
  }

  /** What to do now. After `claim` the try counts as sent at `now`. */
  step(now: number): CandidateAction {
    if (this.#state === 'claiming' && now - this.#sentAt >= this.#timing.requestLimitMs) {
      this.failed(this.#sentAt, now);
      return 'abandon';
    }
    if (this.#state !== 'standing-by' || now < this.#tryAt) return 'wait';
    this.#state = 'claiming';
    this.#sentAt = now;
    this.#wasReleased = false;
    return 'claim';
  }

  /**
   * The database has granted the try that was sent at `sentAt`. Returns the lease, from which the caller
   * reads whether it may write. Returns undefined for a late response to an abandoned try: its grant
   * must not be used, because a later try may have replaced its token.
   */
  granted(sentAt: number, token: number): Lease | undefined {
    if (!this.#isUnderWay(sentAt)) return undefined;
    this.#state = 'holding';
    this.#failures = 0;
    return new Lease({ token, sentAt }, this.#timing);
  }

  /** Another node holds the claim, for `endsInMs` more unless it renews. */
  refused(sentAt: number, endsInMs: number, now: number): void {
    if (!this.#isUnderWay(sentAt)) return;
    this.#state = 'standing-by';
    this.#failures = 0;
    const pauseMs = Math.min(Math.max(endsInMs, 1), this.#timing.tryEveryMs);
    this.#tryAt = this.#wasReleased ? now : now + pauseMs;
  }

  /** The try sent at `sentAt` got an error, or its connection closed. */
  failed(sentAt: number, now: number): void {
    if (!this.#isUnderWay(sentAt)) return;
    this.#state = 'standing-by';
    this.#failures += 1;
    const { retryFirstMs, retryMaxMs } = this.#timing;
    const pause = { firstMs: retryFirstMs, maxMs: retryMaxMs };
    this.#tryAt = now + backoffMs(this.#failures, pause, this.#random);
  }

  /** A hint says that the claim was released: try at once. A false hint costs one try. */
  released(now: number): void {
    this.#wasReleased = true;
    if (this.#state === 'standing-by') this.#tryAt = Math.min(this.#tryAt, now);
  }

  /** The lease was lost, and the node has stopped writing. It stands by, and tries at once. */
  standBy(now: number): void {
    if (this.#state !== 'holding') return;
    this.#state = 'standing-by';
    this.#tryAt = now;
  }

  #isUnderWay(sentAt: number): boolean {
    return this.#state === 'claiming' && sentAt === this.#sentAt;
  }
}
