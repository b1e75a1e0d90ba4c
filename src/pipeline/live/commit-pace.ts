/** How often commits are made under load. */
export interface CommitPacing {
  /** Shortest mean time between the starts of two commits, in milliseconds. */
  readonly gapMs: number;
  /** Number of commits that may follow one another without a gap, after as many gaps without a commit. */
  readonly burst: number;
}

/**
 * Says when the next commit may start. A commit after an idle time starts at once. Only while commits follow
 * one another more often than the gap permits, the next one waits, and contains what arrives meanwhile.
 *
 * All times are milliseconds of one monotonic clock.
 */
export class CommitPace {
  readonly #gapMs: number;
  readonly #creditMs: number;
  /** When the next commit would start if all of them had the gap between them. */
  #nextAt = -Infinity;

  constructor({ gapMs, burst }: CommitPacing) {
    this.#gapMs = gapMs;
    this.#creditMs = gapMs * (burst - 1);
  }

  /** Time until a commit may start: 0 for now. */
  waitMs(now: number): number {
    return Math.max(0, this.#nextAt - this.#creditMs - now);
  }

  /** A commit starts. */
  started(now: number): void {
    this.#nextAt = Math.max(this.#nextAt, now) + this.#gapMs;
  }
}
