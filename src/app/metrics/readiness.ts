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

  check(isWriter = true): ReadinessCheck {
    if (this.#isDamaged) return { ok: false, reason: 'the database is damaged: restore a backup' };
    if (!isWriter) return { ok: true, reason: 'this node does not write' };
    return this.#failuresInARow === 0
      ? { ok: true, reason: 'the last commit succeeded, or no commit was needed yet' }
      : { ok: false, reason: `the last ${this.#failuresInARow} commits failed` };
  }
}

/**
 * Whether clients should be sent to this service: it has quotes, can store updates, receives data, and
 * is not stopping. It receives data while one feed is not stale: the outage of one source among several
 * does not take the service away from clients of the others. Each stale or failed feed is named.
 */
export function readinessOf(site: {
  readonly quotes: number;
  readonly instruments: number;
  readonly commits: CommitHealth;
  /** Whether this process writes. Otherwise its last commit says nothing about the store. */
  readonly isWriter?: boolean;
  readonly feeds: readonly FeedState[];
  /** Further checks. */
  readonly others?: Readiness;
  readonly isStopping?: boolean;
}): Readiness {
  return {
    board: {
      ok: site.quotes > 0,
      reason: `${site.quotes} of ${site.instruments} instruments have a quote`,
    },
    store: site.commits.check(site.isWriter),
    feeds: checkFeeds(site.feeds),
    ...sourcesInUse(site.feeds),
    ...site.others,
    ...(site.isStopping === true ? { stop: { ok: false, reason: 'the service is stopping' } } : {}),
  };
}

function checkFeeds(feeds: readonly FeedState[]): ReadinessCheck {
  const watched = feeds.filter(({ isWatched }) => isWatched);
  const problems = watched.flatMap((feed) => feedProblem(feed) ?? []);
  return {
    ok: watched.length === 0 || watched.some(({ isStale }) => !isStale),
    reason: problems.length === 0 ? 'no feed is stale or failed' : problems.join('; '),
  };
}

/** The sources that the quotes come from. Absent before a source has changed a quote. */
function sourcesInUse(feeds: readonly FeedState[]): Readiness {
  if (feeds.every(({ instruments }) => instruments === 0)) return {};
  const counts = feeds.map(({ name, instruments }) => `${name}: ${instruments} instruments`);
  return { sources: { ok: true, reason: counts.join(', ') } };
}

/** What is wrong with a feed, without the address of its source: `/readyz` needs no key. */
function feedProblem({ name, isStale, phase, lastFault }: FeedState): string | undefined {
  const retry =
    phase === 'waiting' && lastFault !== undefined
      ? `failed (${lastFault.code}), next attempt at ${new Date(lastFault.retryAt).toISOString()}`
      : undefined;
  const parts = [isStale ? 'stale' : undefined, retry].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `${name}: ${parts.join(', ')}`;
}
