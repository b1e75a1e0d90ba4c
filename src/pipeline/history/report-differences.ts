import type { CloseConflict } from '../../domain/history/offered-close.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { LogSummaries, samplesMax } from '../log-summaries.ts';
import { formatMove } from './judge-offers.ts';
import { formatRejectedRow, type RowReason, type SourceFetch } from './source-fetch.ts';

/**
 * What happened to a close that differs from the stored one.
 *
 * - `kept`: a source has another close than the stored one, which stays.
 * - `replaced`: the close of a session replaced the stored one of another source, or that of a source
 *   the stored one of a source that comes later in the configuration.
 * - `corrected`: a source corrected its own close.
 */
type DifferenceOutcome = 'kept' | 'replaced' | 'corrected';

/** Counts differences, by the source of the new close. */
export type CountDifferences = (source: string, outcome: DifferenceOutcome, count: number) => void;

/** Counts rows of a fetch that are not stored. */
export type CountRejectedRows = (source: string, reason: RowReason, count: number) => void;

const messages = {
  kept: 'a source has other closes than the stored ones, which are kept',
  replaced: 'closes of sessions replaced those of other sources',
  preferred: 'closes of a source replaced those of sources after it in the configuration',
} as const;

/** The name under which conflicts of closes without a source are counted. */
const unknownSource = 'unknown';

interface DifferenceDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
  readonly count?: CountDifferences | undefined;
  readonly countRejected?: CountRejectedRows | undefined;
}

/**
 * Reports closes that differ from the stored ones. All are counted. Conflicts between sources are also
 * logged, for each source as {@link LogSummaries} does.
 */
export class DifferenceReport {
  readonly #deps: DifferenceDeps;
  readonly #summaries: LogSummaries<string>;

  constructor(deps: DifferenceDeps) {
    this.#deps = deps;
    this.#summaries = new LogSummaries(deps.clock);
  }

  /**
   * Reports what a source gave to a fetch: closes of its own that it has corrected; closes that differ from those of
   * other sources, which are kept; closes that have replaced those of sources after it in the configuration; moves that
   * are stored although they look like those of a split; and rows that are not stored. Of these, the doubtful ones
   * are logged, because their days have no close.
   *
   * @param options.isCopy whether the source is another Pizarra, which is read so often that only changes are reported.
   */
  fetched(one: Omit<SourceFetch, 'requests'>, { isCopy = false } = {}): void {
    const { source, corrected } = one;
    if (corrected > 0) this.#deps.count?.(source, 'corrected', corrected);
    if (!isCopy) this.#note('kept', source, one.conflicts, one.different);
    this.#note('preferred', source, one.replacements, one.replaced);
    if (isCopy) return;
    const moved = 'closes of a source moved as by a split that is not recorded';
    this.#warn(moved, source, one.moves.map(formatMove));
    for (const [reason, count] of one.rejectedByReason) {
      this.#deps.countRejected?.(source, reason, count);
    }
    const message = 'doubtful closes of a source are not stored';
    this.#warn(message, source, one.doubtfulRows.map(formatRejectedRow));
  }

  /** Reports closes of sessions that have replaced those of other sources. */
  replaced(conflicts: readonly CloseConflict[]): void {
    const bySource = Map.groupBy(conflicts, (one) => one.offeredSource ?? unknownSource);
    for (const [source, list] of bySource) this.#note('replaced', source, list, list.length);
  }

  #note(
    outcome: keyof typeof messages,
    source: string,
    listed: readonly CloseConflict[],
    count: number,
  ): void {
    if (count === 0) return;
    this.#deps.count?.(source, outcome === 'preferred' ? 'replaced' : outcome, count);
    const subject = `${outcome} ${source}`;
    this.#summaries.add(subject, { count, listed }, sampleOf);
    const summary = this.#summaries.take(subject);
    if (summary !== undefined) this.#deps.log.warn({ source, ...summary }, messages[outcome]);
  }

  #warn(message: string, source: string, lines: readonly string[]): void {
    const { length: count } = lines;
    if (count === 0) return;
    this.#deps.log.warn({ source, count, samples: lines.slice(0, samplesMax) }, message);
  }
}

function sampleOf({ ticker, day, stored, storedSource, offered }: CloseConflict): string {
  const from = storedSource ?? unknownSource;
  return `${ticker} ${fromEpochDay(day)}: stored ${stored} of ${from}, offered ${offered}`;
}
