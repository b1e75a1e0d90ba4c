import type { Market } from '../../domain/calendar/market.ts';
import { addDays, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { barSettleMs, type HistorySource } from '../../feeds/contract/history-source.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Log } from '../../lib/reports/log.ts';
import { keepFilling, type Filling } from '../keep-filling.ts';
import type { ContinuePoint } from '../source-requests.ts';
import {
  fetchHistory,
  type HistoryFetchDependencies,
  type HistoryFetchRequest,
  type HistoryFetchSummary,
  type SourceFetch,
} from './fetch-history.ts';
import type { DifferenceReport } from './report-differences.ts';

/** How far back gaps are filled, in days: a year, and the closes before it that a change refers to. */
const filledDays = 400;

/** How far back the closes of another Pizarra are read again and again, in days: those that it is likely to correct. */
const copiedDays = 31;

/**
 * The number of instruments whose closes of all filled days are read together with those: they take turns. A
 * service has no list of its corrections, and all days of all instruments are too many for every read.
 */
const copiedWhole = 70;

/** Maximum number of requests to each source in one run. The next run continues. */
const requestsMax = 500;

/** The pause after a run that left a source before its end, in milliseconds. */
const continuePauseMs = 60 * 60_000;

/**
 * Fills gaps of the history and its last days: shortly after the start, and after each close of a
 * market of the sources' instruments. A run requests the days of the last 400 that have no close, as
 * {@link fetchHistory} does, with at most 500 requests to each source. It continues an hour later when
 * it left a source early, with the instruments that the source was not asked for. What another Pizarra stores is read
 * every 40 s, because it may be corrected at any time: the last month of all instruments, and all filled days of
 * some, in turn. Disposing ends a run under way.
 */
export function fillHistory(dependencies: FillDependencies): AsyncDisposable {
  return keepFilling(fillingOf(dependencies), dependencies);
}

type FillDependencies = Omit<HistoryFetchDependencies, 'signal' | 'onProgress'> & {
  /** After a close, updates are accepted for this long, in milliseconds. */
  readonly settleDelayMs: number;
  readonly log: Log;
  readonly differences: DifferenceReport;
};

/** Undefined where no source has an instrument. */
function fillingOf(dependencies: FillDependencies): Filling | undefined {
  const { clock, sources } = dependencies;
  const fill = new HistoryFill(dependencies);
  if (!fill.hasInstruments) return undefined;
  const copies = sources.filter(({ isCopy }) => isCopy === true);
  return {
    startPauseMs: 20_000,
    jitterMsMax: { start: 40_000, later: 15 * 60_000 },
    fill: (signal) => fill.fill(signal),
    nextAt(isDone) {
      const closeAt = fill.nextClose();
      return isDone ? closeAt : Math.min(closeAt, clock.now() + continuePauseMs);
    },
    ...(copies.length > 0 && { followCopies: (signal) => fill.followCopies(copies, signal) }),
    onFault: 'could not fill the history from sources, retrying',
  };
}

class HistoryFill {
  readonly #dependencies: FillDependencies;
  readonly #calendars: readonly SessionCalendar[];
  /**
   * Where the last run left each source early. So every instrument has its turn after each close, and
   * none has a second one, however few requests a run may make.
   */
  #continueAt: ReadonlyMap<string, ContinuePoint> = new Map();
  /** The position of the next instrument of which all filled days are copied, by source. */
  readonly #wholeAt = new Map<string, number>();

  constructor(dependencies: FillDependencies) {
    this.#dependencies = dependencies;
    this.#calendars = marketsOf(dependencies).map((market) => new SessionCalendar(market));
  }

  get hasInstruments(): boolean {
    return this.#calendars.length > 0;
  }

  /** As {@link Filling.followCopies}. */
  async followCopies(sources: FillDependencies['sources'], signal: AbortSignal): Promise<boolean> {
    // Those that are all read whole in every turn are not read twice.
    const large = sources.filter(({ instruments }) => instruments.length > copiedWhole);
    const month = { from: this.#daysBefore(copiedDays) };
    if (large.length > 0 && !(await this.#copy(large, month, signal))) return false;
    const from = this.#daysBefore(filledDays);
    for (const source of sources) {
      const request = { from, correctedFrom: from, tickers: this.#nextWhole(source) };
      if (!(await this.#copy([source], request, signal))) return false;
    }
    return true;
  }

  #nextWhole({ name, instruments }: HistorySource): ReadonlySet<Ticker> {
    const first = this.#wholeAt.get(name) ?? 0;
    const next = first + copiedWhole;
    this.#wholeAt.set(name, next < instruments.length ? next : 0);
    return new Set(instruments.slice(first, next));
  }

  /** Only what has changed is logged. */
  async #copy(
    sources: FillDependencies['sources'],
    request: HistoryFetchRequest,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { log, differences } = this.#dependencies;
    const summary = await fetchHistory(request, { ...this.#dependencies, sources, signal });
    for (const one of summary.sources) {
      differences.corrected(one.source, one.corrected);
      differences.preferred(one.source, one.replacements, one.replaced);
    }
    const changed = summary.sources.filter(({ instruments, actions }) => instruments + actions > 0);
    if (changed.length > 0) log.info(detailsOf(summary), 'history filled from sources');
    return summary.sources.every(({ stopped }) => stopped === undefined);
  }

  #daysBefore(days: number): PlainDate {
    const today = new Date(this.#dependencies.clock.now()).toISOString().slice(0, 10) as PlainDate;
    return addDays(today, -days);
  }

  /** As {@link Filling.fill}. */
  async fill(signal: AbortSignal): Promise<boolean> {
    const { log, differences } = this.#dependencies;
    const summary = await fetchHistory(
      { from: this.#daysBefore(filledDays), requestsMax, startAt: this.#continueAt },
      { ...this.#dependencies, signal },
    );
    this.#continueAt = summary.continueAt;
    for (const one of summary.sources) {
      differences.corrected(one.source, one.corrected);
      differences.kept(one.source, one.conflicts, one.different);
      differences.preferred(one.source, one.replacements, one.replaced);
      differences.moved(one.source, one.moves);
      differences.rejected(one.source, one.rejectedByReason, one.rejectedRows);
    }
    const requested = summary.sources.filter(({ requests }) => requests > 0);
    if (requested.length > 0) log.info(detailsOf(summary), 'history filled from sources');
    return summary.sources.every(({ stopped }) => stopped === undefined);
  }

  /** The earliest instant after now at which the bar of a market's session is final. */
  nextClose(): number {
    const { clock, settleDelayMs } = this.#dependencies;
    const afterMs = Math.max(barSettleMs, settleDelayMs);
    const now = clock.now();
    const finals = this.#calendars.map((calendar) => {
      const next = calendar.nextSession(calendar.lastSessionOver(now, afterMs));
      return calendar.closesAt(next) + afterMs;
    });
    return Math.min(...finals);
  }
}

function marketsOf({ sources, universe }: FillDependencies): readonly Market[] {
  const tickers = sources.flatMap(({ instruments }) => instruments);
  return [...new Set(tickers.map((ticker) => universe.marketOf(universe.get(ticker))))];
}

function detailsOf({ sources, missing }: HistoryFetchSummary): object {
  return {
    sources: sources.map(countsOf),
    instrumentsWithGaps: missing.length,
  };
}

function countsOf(one: SourceFetch): object {
  const { source, requests, added, corrected, replaced, takenOver, rejected, different } = one;
  const { actions, contradicted, waiting, failed, stopped } = one;
  return {
    source,
    requests,
    added,
    corrected,
    replaced,
    takenOver,
    rejected,
    different,
    actions,
    contradicted: contradicted.length,
    waiting,
    failed: failed.length,
    ...(stopped !== undefined && { stopped }),
  };
}
