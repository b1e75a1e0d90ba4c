import type { CloseConflict } from '../../domain/history/offered-close.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { LogSummaries, samplesMax } from '../log-summaries.ts';
import { formatMove, type StoredMove } from './judge-offers.ts';
import { formatRejectedRow, isDoubtful, type RejectedRow, type RowReason } from './rejected-row.ts';

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

  /** Counts the closes of its own that a source has corrected. */
  corrected(source: string, count: number): void {
    if (count > 0) this.#deps.count?.(source, 'corrected', count);
  }

  /**
   * Reports closes of a source that are not stored, because those of other sources are kept.
   *
   * @param count their number. It may be more than are listed.
   */
  kept(source: string, listed: readonly CloseConflict[], count: number): void {
    if (count > 0) this.#note('kept', source, listed, count);
  }

  /**
   * Reports closes of a source that have replaced those of sources after it in the configuration.
   *
   * @param count their number. It may be more than are listed.
   */
  preferred(source: string, listed: readonly CloseConflict[], count: number): void {
    if (count > 0) this.#note('preferred', source, listed, count);
  }

  /**
   * Counts the rows of a source that are not stored, and logs the doubtful ones. An operator should
   * know of these, because the days have no close.
   */
  rejected(
    source: string,
    byReason: ReadonlyMap<RowReason, number>,
    listed: readonly RejectedRow[],
  ): void {
    for (const [reason, count] of byReason) this.#deps.countRejected?.(source, reason, count);
    const doubtful = listed.filter(isDoubtful);
    if (doubtful.length === 0) return;
    const samples = doubtful.slice(0, samplesMax).map(formatRejectedRow);
    const details = { source, count: doubtful.length, samples };
    this.#deps.log.warn(details, 'doubtful closes of a source are not stored');
  }

  /** Logs moves that are stored although they look like those of a split or of another unit. */
  moved(source: string, moves: readonly StoredMove[]): void {
    if (moves.length === 0) return;
    const samples = moves.slice(0, samplesMax).map(formatMove);
    const details = { source, count: moves.length, samples };
    this.#deps.log.warn(details, 'closes of a source moved as by a split that is not recorded');
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
    this.#deps.count?.(source, outcome === 'preferred' ? 'replaced' : outcome, count);
    const subject = `${outcome} ${source}`;
    this.#summaries.add(subject, { count, listed }, sampleOf);
    const summary = this.#summaries.take(subject);
    if (summary !== undefined) this.#deps.log.warn({ source, ...summary }, messages[outcome]);
  }
}

function sampleOf({ ticker, day, stored, storedSource, offered }: CloseConflict): string {
  const from = storedSource ?? unknownSource;
  return `${ticker} ${fromEpochDay(day)}: stored ${stored} of ${from}, offered ${offered}`;
}
