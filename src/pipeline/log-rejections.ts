import type { Rejected, RejectionReason } from '../feeds/feed.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** The minimum time from one line about a reason to the next, in milliseconds. */
const linePauseMs = 300_000;

/**
 * What is no mistake of the source: thousands of symbols that are not served here, and the instruments
 * that do not trade on a day.
 */
const expectedReasons: ReadonlySet<RejectionReason> = new Set(['no-instrument', 'not-traded']);

/** The maximum number of samples in one line. */
const samplesMax = 3;

/**
 * Logs what one feed rejects: for each reason at most one line in five minutes, with the number since
 * the last line and a few samples. A source that is wrong in every row does not fill the log.
 */
export class RejectionLog {
  readonly #feed: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #redact: (text: string) => string;
  readonly #reasons = new Map<
    RejectionReason,
    { count: number; samples: string[]; lastAt: number }
  >();

  constructor(deps: {
    readonly feed: string;
    readonly clock: Clock;
    readonly log: Log;
    /** Removes keys from a text. */
    readonly redact: (text: string) => string;
  }) {
    this.#feed = deps.feed;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#redact = deps.redact;
  }

  add(rejected: readonly Rejected[]): void {
    for (const { reason, symbol, sample } of rejected) {
      if (expectedReasons.has(reason)) continue;
      const state = this.#stateOf(reason);
      state.count += 1;
      if (state.samples.length < samplesMax) {
        state.samples.push(this.#redact(symbol === undefined ? sample : `${symbol}: ${sample}`));
      }
    }
    this.#write();
  }

  #write(): void {
    const now = this.#clock.monotonic();
    for (const [reason, state] of this.#reasons) {
      if (state.count === 0 || now - state.lastAt < linePauseMs) continue;
      const { count, samples } = state;
      this.#log.warn(
        { feed: this.#feed, reason, count, samples },
        'feed sent data that was rejected',
      );
      this.#reasons.set(reason, { count: 0, samples: [], lastAt: now });
    }
  }

  #stateOf(reason: RejectionReason): { count: number; samples: string[] } {
    const known = this.#reasons.get(reason);
    if (known !== undefined) return known;
    const state = { count: 0, samples: [], lastAt: -Infinity };
    this.#reasons.set(reason, state);
    return state;
  }
}
