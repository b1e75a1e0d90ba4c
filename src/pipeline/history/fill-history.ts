import type { Market } from '../../domain/calendar/market.ts';
import { addDays } from '../../domain/calendar/plain-date.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { barSettleMs } from '../../feeds/contract/history-source.ts';
import type { Log } from '../../lib/reports/log.ts';
import { fetchHistory } from './fetch-history.ts';
import type { HistoryFetchSummary } from './fetch-history.ts';
import type { HistoryFetchDependencies } from './fetch-request.ts';
import type { DifferenceReport } from './report-differences.ts';
import type { SourceFetch } from './source-fetch.ts';
import type { ContinuePoint } from './source-requests.ts';

/** How far back gaps are filled, in days: a year, and the closes before it that a change refers to. */
const filledDays = 400;

/** Maximum number of requests to each source in one run. The next run continues. */
const requestsMax = 500;

/** The first run begins this long after the start, in milliseconds. Until then the feeds connect. */
const startPauseMs = 20_000;

/** The pause after a run that left a source before its end, in milliseconds. */
const continuePauseMs = 60 * 60_000;

/** Each run is delayed at random by up to this time, in milliseconds. */
const jitterMsMax = 15 * 60_000;

/** The jitter of the first run, in milliseconds. */
const startJitterMsMax = 40_000;

/** The maximum length of one pause, in milliseconds. Then the clock is read again, as it may be set. */
const pauseMsMax = 10 * 60_000;

/**
 * Fills gaps of the history and its last days: shortly after the start, and after each close of a
 * market of the sources' instruments. A run requests the days of the last 400 that have no close, as
 * {@link fetchHistory} does, with at most 500 requests to each source. It continues an hour later when
 * it left a source early, with the instruments that the source was not asked for. Disposing ends a run under way.
 */
export function fillHistory(
  dependencies: Omit<HistoryFetchDependencies, 'signal' | 'onProgress'> & {
    /** After a close, updates are accepted for this long, in milliseconds. */
    readonly settleDelayMs: number;
    readonly log: Log;
    readonly differences: DifferenceReport;
  },
): AsyncDisposable {
  const stopping = new AbortController();
  const running = new HistoryFill(dependencies, stopping.signal).run();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

type FillDependencies = Parameters<typeof fillHistory>[0];

class HistoryFill {
  readonly #dependencies: FillDependencies;
  readonly #signal: AbortSignal;
  readonly #calendars: readonly SessionCalendar[];
  /**
   * Where the last run left each source early. So every instrument has its turn after each close, and
   * none has a second one, however few requests a run may make.
   */
  #continueAt: ReadonlyMap<string, ContinuePoint> = new Map();

  constructor(dependencies: FillDependencies, signal: AbortSignal) {
    this.#dependencies = dependencies;
    this.#signal = signal;
    this.#calendars = marketsOf(dependencies).map((market) => new SessionCalendar(market));
  }

  async run(): Promise<void> {
    const { clock, random } = this.#dependencies;
    if (this.#calendars.length === 0) return;
    let dueAt = clock.now() + startPauseMs + random() * startJitterMsMax;
    try {
      while (!this.#signal.aborted) {
        await this.#until(dueAt);
        const isDone = await this.#fill();
        const closeAt = this.#nextClose();
        const next = isDone ? closeAt : Math.min(closeAt, clock.now() + continuePauseMs);
        dueAt = next + random() * jitterMsMax;
      }
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    }
  }

  async #until(instant: number): Promise<void> {
    const { clock, pause } = this.#dependencies;
    for (let leftMs = instant - clock.now(); leftMs > 0; leftMs = instant - clock.now()) {
      await pause(Math.min(leftMs, pauseMsMax), this.#signal);
    }
  }

  /** Returns whether no source was left before its end. */
  async #fill(): Promise<boolean> {
    const { clock, log, differences } = this.#dependencies;
    const today = new Date(clock.now()).toISOString().slice(0, 10) as PlainDate;
    try {
      const summary = await fetchHistory(
        { from: addDays(today, -filledDays), requestsMax, startAt: this.#continueAt },
        { ...this.#dependencies, signal: this.#signal },
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
    } catch (fault) {
      if (!this.#signal.aborted) {
        log.error({ err: fault }, 'could not fill the history from sources, retrying');
      }
      return false;
    }
  }

  /** The earliest instant after now at which the bar of a market's session is final. */
  #nextClose(): number {
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
