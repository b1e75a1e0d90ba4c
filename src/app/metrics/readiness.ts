import type { Readiness, ReadinessCheck } from '../../http/private/readyz.ts';
import type { FeedState } from '../../pipeline/feed-state.ts';

/** Remembers the results of the last commits. They show whether the store can be written. */
export class CommitHealth {
  #failuresInARow = 0;
  #isDamaged = false;

  /** Marks the database as damaged, until a restart over a sound one. */
  damaged(): void {
    this.#isDamaged = true;
  }

  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  committed(): void {
    this.#failuresInARow = 0;
  }

  failed(): void {
    this.#failuresInARow += 1;
  }

  check(): ReadinessCheck {
    if (this.#isDamaged) return { ok: false, reason: 'the database is damaged: restore a backup' };
    return this.#failuresInARow === 0
      ? { ok: true, reason: 'the last commit succeeded, or no commit was needed yet' }
      : { ok: false, reason: `the last ${this.#failuresInARow} commits failed` };
  }
}

/**
 * Whether clients should be sent to this service: it has quotes, can store updates, has no stale feed,
 * and is not stopping.
 */
export function readinessOf(site: {
  readonly quotes: number;
  readonly instruments: number;
  readonly commits: CommitHealth;
  readonly feeds: readonly FeedState[];
  readonly isStopping?: boolean;
}): Readiness {
  const stale = site.feeds.filter(({ isStale }) => isStale).map(({ name }) => name);
  return {
    board: {
      ok: site.quotes > 0,
      reason: `${site.quotes} of ${site.instruments} instruments have a quote`,
    },
    store: site.commits.check(),
    feeds: {
      ok: stale.length === 0,
      reason: stale.length === 0 ? 'no feed is stale' : `stale: ${stale.join(', ')}`,
    },
    ...(site.isStopping === true ? { stop: { ok: false, reason: 'the service is stopping' } } : {}),
  };
}
