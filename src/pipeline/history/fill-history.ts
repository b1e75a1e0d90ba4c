import type { Market } from '../../domain/calendar/market.ts';
import {
  addDays,
  type PlainDate,
  fromEpochDay,
  utcDayOf,
} from '../../domain/calendar/plain-date.ts';
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
} from './fetch-history.ts';
import type { DifferenceReport } from './report-differences.ts';
import type { SourceFetch } from './source-fetch.ts';

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
  const { clock, differences, log, settleDelayMs, sources } = dependencies;
  const calendars = marketsOf(dependencies).map((market) => new SessionCalendar(market));
  if (calendars.length === 0) return undefined;
  const copies = sources.filter(({ isCopy }) => isCopy === true);
  // Those that are all read whole in every turn are not read twice.
  const largeCopies = copies.filter(({ instruments }) => instruments.length > copiedWhole);
  /** The position of the next instrument of which all filled days are copied, by source. */
  const wholeAt = new Map<string, number>();
  /**
   * Where the last run left each source early. So every instrument has its turn after each close, and
   * none has a second one, however few requests a run may make.
   */
  let continueAt: ReadonlyMap<string, ContinuePoint> = new Map();

  const daysBefore = (days: number): PlainDate => {
    return addDays(fromEpochDay(utcDayOf(clock.now())), -days);
  };
  const nextWhole = ({ name, instruments }: HistorySource): ReadonlySet<Ticker> => {
    const first = wholeAt.get(name) ?? 0;
    const next = first + copiedWhole;
    wholeAt.set(name, next < instruments.length ? next : 0);
    return new Set(instruments.slice(first, next));
  };
  /** Whether no source was left early. Of copies, only what has changed is logged. */
  const fetch = async (
    request: HistoryFetchRequest,
    parts: Pick<HistoryFetchDependencies, 'sources' | 'signal'>,
    { isCopy }: { readonly isCopy: boolean },
  ): Promise<boolean> => {
    const summary = await fetchHistory(request, { ...dependencies, ...parts });
    for (const one of summary.sources) differences.fetched(one, { isCopy });
    const isLogged = summary.sources.some(({ requests, instruments, actions }) =>
      isCopy ? instruments + actions > 0 : requests > 0,
    );
    if (isLogged) log.info(detailsOf(summary), 'history filled from sources');
    if (!isCopy) ({ continueAt } = summary);
    return summary.sources.every(({ stopped }) => stopped === undefined);
  };

  return {
    startPauseMs: 20_000,
    jitterMsMax: { start: 40_000, later: 15 * 60_000 },
    fill(signal) {
      const request = { from: daysBefore(filledDays), requestsMax, startAt: continueAt };
      return fetch(request, { sources, signal }, { isCopy: false });
    },
    /** The earliest instant after now at which the bar of a market's session is final, or an hour to continue. */
    nextAt(isDone) {
      const afterMs = Math.max(barSettleMs, settleDelayMs);
      const now = clock.now();
      const finals = calendars.map((calendar) => {
        const next = calendar.nextSession(calendar.lastSessionOver(now, afterMs));
        return calendar.closesAt(next) + afterMs;
      });
      return Math.min(...finals, isDone ? Infinity : now + continuePauseMs);
    },
    ...(copies.length > 0 && {
      async followCopies(signal) {
        const copy = (request: HistoryFetchRequest, some: readonly HistorySource[]) =>
          fetch(request, { sources: some, signal }, { isCopy: true });
        const month = { from: daysBefore(copiedDays) };
        if (largeCopies.length > 0 && !(await copy(month, largeCopies))) return false;
        const from = daysBefore(filledDays);
        for (const source of copies) {
          const request = { from, correctedFrom: from, tickers: nextWhole(source) };
          if (!(await copy(request, [source]))) return false;
        }
        return true;
      },
    }),
    onFault: 'could not fill the history from sources, retrying',
  };
}

function marketsOf({ sources, universe }: FillDependencies): readonly Market[] {
  const tickers = sources.flatMap(({ instruments }) => instruments);
  return [...new Set(tickers.map((ticker) => universe.marketOf(universe.get(ticker))))];
}

function detailsOf({ sources, missing }: HistoryFetchSummary): object {
  return { sources: sources.map(countsOf), instrumentsWithGaps: missing.length };
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
