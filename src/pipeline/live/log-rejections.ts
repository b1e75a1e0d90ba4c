import type { Update } from '../../domain/quotes/update.ts';
import type { Outcome } from '../../engine/engine.ts';
import type { RefusalReason } from '../../engine/plausibility.ts';
import { type Rejected, type RejectionReason, reject } from '../../feeds/contract/feed.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { LogSummaries } from '../log-summaries.ts';

/** The latest instant that a `Date` can have (ECMA-262, time value), in epoch milliseconds. */
const latestDate = 8.64e15;

/** Why something that a feed sent is not used: its mapper rejected it, or the engine refused it. */
type Reason = RejectionReason | RefusalReason;

/**
 * Reasons that are not logged, because they are no mistake of the source: symbols that are not served
 * here, instruments that do not trade on a day, and values of instruments that are computed here.
 */
const unloggedReasons: ReadonlySet<Reason> = new Set([
  'no-instrument',
  'not-traded',
  'unknown-ticker',
  'derived',
]);

interface RejectionLogDeps {
  readonly feed: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Removes keys from a text. */
  readonly redact: (text: string) => string;
}

/** Logs what of one feed is rejected, for each reason as {@link LogSummaries} does. */
export class RejectionLog {
  readonly #deps: RejectionLogDeps;
  readonly #summaries: LogSummaries<Reason>;

  constructor(deps: RejectionLogDeps) {
    this.#deps = deps;
    this.#summaries = new LogSummaries(deps.clock);
  }

  add(rejected: readonly Rejected<Reason>[]): void {
    const { redact } = this.#deps;
    for (const one of rejected) {
      if (unloggedReasons.has(one.reason)) continue;
      this.#summaries.add(one.reason, { count: 1, listed: [one] }, ({ symbol, sample }) =>
        redact(symbol === undefined ? sample : `${symbol}: ${sample}`),
      );
    }
    this.#write();
  }

  /** Adds the updates that the engine refused, wholly or in their books. */
  addRefused(updates: readonly Update[], outcomes: readonly Outcome[]): void {
    // Most batches have no refusal.
    if (outcomes.every((outcome) => typeof outcome === 'string')) return this.#write();
    this.add(
      outcomes.flatMap((outcome, index) => {
        const update = updates[index];
        if (typeof outcome === 'string' || update === undefined) return [];
        return [reject(outcome.refused, shown(update), update.ticker)];
      }),
    );
  }

  #write(): void {
    const { feed, log } = this.#deps;
    for (const reason of this.#summaries.subjects) {
      const summary = this.#summaries.take(reason);
      if (summary === undefined) continue;
      log.warn({ feed, reason, ...summary }, 'feed sent data that was rejected');
    }
  }
}

/** The values of an update, with its instant as a person reads it. */
function shown(update: Update): object {
  const isDate = Math.abs(update.at) <= latestDate;
  const at = isDate ? new Date(update.at).toISOString() : String(update.at);
  return { ...update, ticker: undefined, at };
}
