import type { Readiness, ReadinessCheck } from '../../http/private/routes.ts';
import type { Board } from '../../board/board.ts';
import { isInForce } from '../../domain/quotes/set-aside-base.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { describeSetAside } from '../../pipeline/live/report-judged.ts';
import { faultReasonTexts } from '../../domain/values/fault-reason.ts';
import type { FaultSummary } from '../../pipeline/live/fault-summary.ts';
import type { FeedState } from '../../pipeline/live/feed-state.ts';
import { failureOf, outageOf } from '../../pipeline/live/source-outage.ts';

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
 * is not stopping. A stale feed is a fault, but only when all are stale does it keep clients away: the
 * outage of one source among several does not take the service away from clients of the others. Each stale
 * or failed feed is named.
 */
export function readinessOf(node: {
  readonly quotes: number;
  readonly instruments: number;
  readonly commits: CommitHealth;
  /** Whether this process writes. Otherwise its last commit says nothing about the store. */
  readonly isWriter?: boolean;
  readonly feeds: readonly FeedState[];
  /** The quotes whose prices contradict a stored close. */
  readonly setAside?: readonly Quote[];
  /** Further checks. */
  readonly others?: Readiness;
  readonly isStopping?: boolean;
}): Readiness {
  const { updates, ...rest } = node.others ?? {};
  const board = {
    ok: node.quotes > 0,
    reason: `${node.quotes} of ${node.instruments} instruments have a quote`,
  };
  const store = node.commits.check(node.isWriter);
  const stop =
    node.isStopping === true ? { ok: false, reason: 'the service is stopping' } : undefined;
  return {
    reads: firstFault([stop, rest['data'], board]),
    ...(updates === undefined ? {} : { updates: firstFault([stop, updates, store]) }),
    board,
    store,
    feeds: checkFeeds(node.feeds),
    ...sourcesInUse(node.feeds),
    ...checkCloses(node.setAside ?? []),
    ...rest,
    ...(stop === undefined ? {} : { stop }),
  };
}

/**
 * The first check that fails, else the last one. It sums the others up, so it does not decide by itself whether
 * the service is ready.
 */
function firstFault(checks: readonly (ReadinessCheck | undefined)[]): ReadinessCheck {
  const given = checks.filter((one) => one !== undefined);
  const { ok = true, reason = '' } = given.find((one) => !one.ok) ?? given.at(-1) ?? {};
  return { ok, blocks: false, reason };
}

/** The reason of `feeds` begins with this while no source gives prices. */
export const noSource = 'no source responds';

function checkFeeds(feeds: readonly FeedState[]): ReadinessCheck {
  const watched = feeds.filter(({ isWatched }) => isWatched);
  const problems = watched.flatMap((feed) => feedProblem(feed) ?? []);
  const stale = watched.filter(({ isStale }) => isStale);
  const listed = problems.length === 0 ? 'no feed is stale or failed' : problems.join('; ');
  const isPartly = stale.length > 0 && stale.length < watched.length;
  return {
    ok: stale.length === 0,
    ...(isPartly ? { blocks: false } : {}),
    reason: (outageOf(feeds) === undefined ? '' : `${noSource}: `) + listed,
    ...(problems.length === 0 ? {} : { cases: problems }),
  };
}

/** Maximum number of closes that are named. Further ones are counted. */
const closesNamedMax = 5;

/**
 * Clients get no variation from a close that is set aside, so it does not take the service away from
 * them. The operator has to mend it.
 */
function checkCloses(setAside: readonly Quote[]): Readiness {
  if (setAside.length === 0) return {};
  const named = setAside.slice(0, closesNamedMax).flatMap(({ instrument, setAside: mark }) => {
    return mark === undefined ? [] : [describeSetAside(instrument.ticker, mark)];
  });
  const more = setAside.length - named.length;
  const rest = more > 0 ? `; and ${more} more` : '';
  const reason = `${named.join('; ')}${rest}. "pizarra doctor" says how to mend it`;
  return { closes: { ok: true, reason } };
}

/** The sources that the quotes come from. Absent before a source has changed a quote. */
function sourcesInUse(feeds: readonly FeedState[]): Readiness {
  if (feeds.every(({ instruments }) => instruments === 0)) return {};
  const counts = feeds.map(({ name, instruments }) => `${name}: ${instruments} instruments`);
  return { sources: { ok: true, reason: counts.join(', ') } };
}

/** Why a feed fails: `its name is not found, ENOTFOUND`. */
export function describeFault({ reason, detail }: FaultSummary): string {
  return detail === undefined ? faultReasonTexts[reason] : `${faultReasonTexts[reason]}, ${detail}`;
}

/** What is wrong with a feed, without the address of its source: `/readyz` needs no key. */
function feedProblem(state: FeedState): string | undefined {
  const { name, isStale } = state;
  const fault = failureOf(state);
  const retry =
    fault === undefined
      ? undefined
      : `failed (${describeFault(fault)}), next attempt at ${new Date(fault.retryAt).toISOString()}`;
  const parts = [isStale ? 'stale' : undefined, retry].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `${name}: ${parts.join(', ')}`;
}

/** The quotes whose prices contradict a stored close, in the order of the universe. */
export function closesSetAside(board: Board): readonly Quote[] {
  return board.universe.instruments.flatMap((instrument) => {
    const quote = board.quote(instrument);
    return quote !== undefined && isInForce(quote.setAside) ? [quote] : [];
  });
}
