import { backoffMs } from '../lib/time/backoff.ts';
import { followTiming, type FollowTiming } from './timing.ts';

/**
 * What the owner of a {@link Follower} does now. `connect`: open a connection. `pull`: request everything
 * newer than {@link Follower.position}. `drop`: the connection is dead, so destroy it without waiting for
 * it, then ask again. `wait`: nothing before {@link Follower.wakeAt}.
 */
export type FollowAction = 'wait' | 'connect' | 'pull' | 'drop';

/**
 * Follows what one writer commits under rising versions: quotes, or another table with a revision. It
 * decides when to pull and when to replace the connection.
 *
 * A hint (a notification from the database) makes the next pull start at once. A hint is never more than
 * that: it may be lost, late or repeated, and its content is not used. The follower pulls at least every
 * `pullEveryMs`, and every pull requests *everything* newer than the position. This is complete because
 * versions are committed in their order.
 *
 * At most one pull is under way. A hint during a pull leads to one more pull, because the pull may have
 * read before the commit that the hint announces. A pull without a response in time means that the
 * connection is dead, even when the operating system reports no error.
 *
 * All times are milliseconds of one monotonic clock of the node.
 */
export class Follower {
  readonly #timing: FollowTiming;
  readonly #random: () => number;
  #connection: 'none' | 'opening' | 'open' = 'none';
  /** When to open a connection, or to pull. */
  #dueAt = -Infinity;
  /** When the connection attempt or the pull under way started; undefined when none is. */
  #startedAt: number | undefined;
  #isHinted = false;
  #failures = 0;
  #failedAt = -Infinity;
  #position = 0;
  #pulledAt: number | undefined;

  /** @param random returns numbers from 0 (inclusive) to 1 (exclusive). */
  constructor(random: () => number, timing: FollowTiming = followTiming) {
    this.#random = random;
    this.#timing = timing;
  }

  /** Everything up to this version was adopted. It is 0 at first, and never decreases. */
  get position(): number {
    return this.#position;
  }

  /** Whether a first pull has succeeded. */
  get isReady(): boolean {
    return this.#pulledAt !== undefined;
  }

  /** Milliseconds since the last successful pull was sent: the maximum age of the data. Infinity before it. */
  ageMs(now: number): number {
    return this.#pulledAt === undefined ? Infinity : now - this.#pulledAt;
  }

  /** When {@link step} must be called again, at the latest. */
  get wakeAt(): number {
    return this.#startedAt === undefined
      ? this.#dueAt
      : this.#startedAt + this.#timing.requestLimitMs;
  }

  /** What to do now. After `connect` and `pull` the request counts as sent at `now`. */
  step(now: number): FollowAction {
    if (this.#startedAt !== undefined) {
      if (now - this.#startedAt < this.#timing.requestLimitMs) return 'wait';
      this.failed(now);
      return 'drop';
    }
    if (now < this.#dueAt) return 'wait';
    this.#startedAt = now;
    if (this.#connection === 'none') {
      this.#connection = 'opening';
      return 'connect';
    }
    this.#isHinted = false;
    return 'pull';
  }

  /** The connection is open and listens for hints. A pull is due, because earlier hints were missed. */
  connected(now: number): void {
    if (this.#connection !== 'opening') return;
    this.#connection = 'open';
    this.#startedAt = undefined;
    this.#dueAt = now;
  }

  /**
   * A hint arrived. It also shows that the database can be reached, so a pause after a failure is cut to its
   * shortest.
   */
  hinted(now: number): void {
    this.#isHinted = true;
    if (this.#startedAt !== undefined) return;
    const earliest = this.#connection === 'open' ? now : this.#failedAt + this.#timing.retryFirstMs;
    this.#dueAt = Math.min(this.#dueAt, Math.max(now, earliest));
  }

  /**
   * The pull that was sent at `sentAt` has its response. Returns whether to adopt what it contains, each
   * item only where it is newer than what the owner has. Returns false for the response to a pull that
   * was given up.
   *
   * @param newest the highest version in the response; undefined when it is empty.
   */
  pulled(sentAt: number, newest: number | undefined, now: number): boolean {
    if (this.#connection !== 'open' || sentAt !== this.#startedAt) return false;
    this.#startedAt = undefined;
    this.#failures = 0;
    this.#pulledAt = sentAt;
    this.#position = Math.max(this.#position, newest ?? this.#position);
    this.#dueAt = this.#isHinted ? now : sentAt + this.#timing.pullEveryMs;
    return true;
  }

  /** The connection was refused or closed, or a pull got an error. The owner destroys the connection. */
  failed(now: number): void {
    this.#connection = 'none';
    this.#startedAt = undefined;
    this.#failedAt = now;
    this.#failures += 1;
    const { retryFirstMs, retryMaxMs } = this.#timing;
    const pause = { firstMs: retryFirstMs, maxMs: retryMaxMs };
    // A hint arrived during the request, so the database may be available again: retry soon.
    const pauseMs = this.#isHinted ? retryFirstMs : backoffMs(this.#failures, pause, this.#random);
    this.#dueAt = now + pauseMs;
    this.#isHinted = false;
  }
}
