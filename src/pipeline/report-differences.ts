import type { CloseConflict } from '../domain/offered-close.ts';
import { fromEpochDay } from '../domain/plain-date.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** The minimum time from one line about a source to the next, in milliseconds. */
const linePauseMs = 300_000;

/** The maximum number of samples in one line. */
const samplesMax = 3;

/**
 * What happened to a close that differs from the stored one.
 *
 * - `kept`: a source has another close than the stored one, which stays.
 * - `replaced`: the close of a session replaced the stored one of another source.
 * - `corrected`: a source corrected its own close.
 */
type DifferenceOutcome = 'kept' | 'replaced' | 'corrected';

/** Counts differences, by the source of the new close. */
export type CountDifferences = (source: string, outcome: DifferenceOutcome, count: number) => void;

const messages = {
  kept: 'a source has other closes than the stored ones, which are kept',
  replaced: 'closes of sessions replaced those of other sources',
} as const;

/** The name under which conflicts of closes without a source are counted. */
const unknownSource = 'unknown';

/**
 * Reports closes that differ from the stored ones. All are counted. Conflicts between sources are also
 * logged: for each source at most one line in five minutes, with the number since the last line and a
 * few samples.
 */
export class DifferenceReport {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #log: Log;
  readonly #count: CountDifferences;
  readonly #pending = new Map<string, { count: number; samples: string[]; lastAt: number }>();

  constructor(deps: {
    readonly clock: Pick<Clock, 'monotonic'>;
    readonly log: Log;
    readonly count?: CountDifferences | undefined;
  }) {
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#count = deps.count ?? (() => undefined);
  }

  /** Counts the closes of its own that a source has corrected. */
  corrected(source: string, count: number): void {
    if (count > 0) this.#count(source, 'corrected', count);
  }

  /**
   * Reports closes of a source that are not stored, because those of other sources are kept.
   *
   * @param count their number. It may be more than are listed.
   */
  kept(source: string, listed: readonly CloseConflict[], count: number): void {
    if (count > 0) this.#note('kept', source, listed, count);
  }

  /** Reports closes of sessions that have replaced those of other sources. */
  replaced(conflicts: readonly CloseConflict[]): void {
    const bySource = Map.groupBy(conflicts, (one) => one.offeredSource ?? unknownSource);
    for (const [source, list] of bySource) this.#note('replaced', source, list, list.length);
  }

  #note(
    outcome: 'kept' | 'replaced',
    source: string,
    list: readonly CloseConflict[],
    count: number,
  ): void {
    this.#count(source, outcome, count);
    const key = `${outcome} ${source}`;
    const state = this.#pending.get(key) ?? { count: 0, samples: [], lastAt: -Infinity };
    state.count += count;
    const free = samplesMax - state.samples.length;
    state.samples.push(...list.slice(0, free).map(sampleOf));
    const now = this.#clock.monotonic();
    if (now - state.lastAt < linePauseMs) return;
    const { samples } = state;
    this.#log.warn({ source, count: state.count, samples }, messages[outcome]);
    this.#pending.set(key, { count: 0, samples: [], lastAt: now });
  }
}

function sampleOf({ ticker, day, stored, storedSource, offered }: CloseConflict): string {
  const from = storedSource ?? unknownSource;
  return `${ticker} ${fromEpochDay(day)}: stored ${stored} of ${from}, offered ${offered}`;
}
