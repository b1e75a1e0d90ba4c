import type { Update } from '../../domain/quotes/update.ts';
import type { Outcome } from '../../engine/engine.ts';
import type { RefusalReason } from '../../engine/plausibility.ts';
import { type Rejected, type RejectionReason, reject } from '../../feeds/contract/feed.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';

/** The minimum time from one line about a reason to the next, in milliseconds. */
const linePauseMs = 300_000;

/** The maximum number of samples in one line. */
const samplesMax = 3;

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

/**
 * Logs what of one feed is rejected: for each reason at most one line in five minutes, with the number since
 * the last line and a few samples. A source that is wrong in every row does not fill the log.
 */
export class RejectionLog {
  readonly #deps: RejectionLogDeps;
  readonly #reasons = new Map<Reason, { count: number; samples: string[]; lastAt: number }>();

  constructor(deps: RejectionLogDeps) {
    this.#deps = deps;
  }

  add(rejected: readonly (Omit<Rejected, 'reason'> & { readonly reason: Reason })[]): void {
    const { redact } = this.#deps;
    for (const { reason, symbol, sample } of rejected) {
      if (unloggedReasons.has(reason)) continue;
      const state = this.#stateOf(reason);
      state.count += 1;
      if (state.samples.length < samplesMax) {
        state.samples.push(redact(symbol === undefined ? sample : `${symbol}: ${sample}`));
      }
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
        return [reject(reasonOf(outcome), shown(update), update.ticker)];
      }),
    );
  }

  #write(): void {
    const { feed, clock, log } = this.#deps;
    const now = clock.monotonic();
    for (const [reason, state] of this.#reasons) {
      if (state.count === 0 || now - state.lastAt < linePauseMs) continue;
      const { count, samples } = state;
      log.warn({ feed, reason, count, samples }, 'feed sent data that was rejected');
      this.#reasons.set(reason, { count: 0, samples: [], lastAt: now });
    }
  }

  #stateOf(reason: Reason): { count: number; samples: string[] } {
    const known = this.#reasons.get(reason);
    if (known !== undefined) return known;
    const state = { count: 0, samples: [], lastAt: -Infinity };
    this.#reasons.set(reason, state);
    return state;
  }
}

/** The values of an update, with its instant as a person reads it. */
function shown(update: Update): object {
  const isDate = Math.abs(update.at) <= latestDate;
  const at = isDate ? new Date(update.at).toISOString() : String(update.at);
  return { ...update, ticker: undefined, at };
}

/** Why an update, its book or its prices of the session were refused. */
function reasonOf(outcome: Exclude<Outcome, string>): RefusalReason {
  if ('refused' in outcome) return outcome.refused;
  return 'bookRefused' in outcome ? outcome.bookRefused : outcome.rangeRefused;
}
