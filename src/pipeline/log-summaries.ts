import type { Clock } from '../lib/time/clock.ts';

/** The minimum time from one line about a subject to the next, in milliseconds. */
const linePauseMs = 300_000;

/** The maximum number of samples in one line. */
export const samplesMax = 3;

/** What a line of the log reports. */
interface Summary {
  /** The number of occurrences since the line before. */
  readonly count: number;
  /** A few of them. */
  readonly samples: readonly string[];
}

/**
 * Summarizes what may occur very often, so that it does not fill the log: each subject has at most one line in five
 * minutes. The first occurrence is logged at once. Those that follow are part of the next line.
 */
export class LogSummaries<Subject> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #pending = new Map<Subject, { count: number; samples: string[]; loggedAt: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** The subjects that have occurred. */
  get subjects(): Iterable<Subject> {
    return this.#pending.keys();
  }

  /**
   * Counts occurrences.
   *
   * @param listed those that may become samples.
   * @param format is called only for those that do.
   */
  add<One>(
    subject: Subject,
    { count, listed }: { readonly count: number; readonly listed: readonly One[] },
    format: (one: One) => string,
  ): void {
    const none = { count: 0, samples: [] as string[], loggedAt: -Infinity };
    const pending = this.#pending.getOrInsert(subject, none);
    pending.count += count;
    const free = samplesMax - pending.samples.length;
    pending.samples.push(...listed.slice(0, free).map(format));
  }

  /** Removes and returns the summary of a subject, if its next line is due. */
  take(subject: Subject): Summary | undefined {
    const pending = this.#pending.get(subject);
    if (pending === undefined || pending.count === 0) return undefined;
    const now = this.#clock.monotonic();
    if (now - pending.loggedAt < linePauseMs) return undefined;
    this.#pending.set(subject, { count: 0, samples: [], loggedAt: now });
    const { count, samples } = pending;
    return { count, samples };
  }
}
