import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import {
  conflictOf,
  decideCopied,
  decideFetched,
  type CloseConflict,
} from '../../domain/history/offered-close.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { isSamePrice } from '../../domain/values/same-price.ts';
import type { SourceOrder } from '../../domain/history/source-order.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { HistorySource } from '../../feeds/contract/history-source.ts';
import type { ActionStore } from '../../store/contract/versioned-stores.ts';
import type { CloseReader } from '../../store/contract/history-store.ts';
import {
  HistoryRequests,
  type FailedInstrument,
  type RequestDependencies,
  type RequestPause,
  type RunPlace,
} from '../source-requests.ts';
import { onSessions, rangeOf, sessionDaysFrom } from './fetched-days.ts';

/** What to compare. */
export interface HistoryCompareRequest {
  /** Undefined: all instruments that the sources have. */
  readonly tickers?: ReadonlySet<Ticker>;
  /** Both included. */
  readonly from: PlainDate;
  readonly to?: PlainDate;
}

/** The collaborators of a comparison. */
export interface HistoryCompareDependencies extends RequestDependencies {
  readonly sources: readonly HistorySource[];
  /** The order of all configured sources. */
  readonly order: SourceOrder;
  readonly history: CloseReader;
  readonly actions: Pick<ActionStore, 'readAll'>;
  readonly universe: Universe;
  readonly onProgress?: (progress: HistoryCompareProgress) => void;
  /** Receives the differences of one instrument and one source, ascending by day. */
  readonly onDifferences: (differences: readonly CloseConflict[]) => void;
}

/** The progress, reported before each request and before each pause after a fault. */
export interface HistoryCompareProgress extends RunPlace {
  readonly source: string;
  readonly ticker: Ticker;
  readonly waiting?: RequestPause;
}

/** What the comparison with one source found. */
export interface SourceComparison {
  readonly source: string;
  requests: number;
  /** Instruments with at least one compared close. */
  instruments: number;
  /** Stored closes of which the source has one of the same day. */
  compared: number;
  different: number;
  /** Those of them that a fetch replaces, because the source comes earlier in the configuration. */
  replaceable: number;
  /** Stored closes of days that the source lacks. */
  lacking: number;
  /** Closes of the source, between the first and the last stored one, that are not stored. */
  unstored: number;
  /** Rows that are no close, and closes of days without a session. */
  rejected: number;
  readonly failed: readonly FailedInstrument[];
  /** Why the source was left before its last instrument. */
  stopped?: string;
}

/** The result of a comparison. */
export interface HistoryCompareSummary {
  readonly sources: readonly SourceComparison[];
  /** Instruments that a source has, without a stored close in the range. */
  readonly notStored: readonly Ticker[];
  /** Instruments that were requested by name and that no source has. */
  readonly notOffered: readonly Ticker[];
  readonly wasAborted: boolean;
}

/**
 * Compares the stored closes of instruments with those that sources have now, and stores nothing. Each
 * source is asked for the range from the first to the last stored close of an instrument, within the
 * limits that a fetch obeys. Closes that differ by the noise of a computation are equal
 * ({@link isSamePrice}).
 *
 * One request runs at a time. An aborted comparison ends early, with the summary so far.
 *
 * @throws StoreFault when the store cannot be read.
 */
export async function compareHistory(
  request: HistoryCompareRequest,
  dependencies: HistoryCompareDependencies,
): Promise<HistoryCompareSummary> {
  const { sources, signal } = dependencies;
  const stored: ComparedStore = {
    sessionsOf: sessionDaysFrom(request.from, dependencies),
    actions: new CorporateActions((await dependencies.actions.readAll()).values),
    lacking: new Set(),
  };
  const results: SourceComparison[] = [];
  for (const source of sources) {
    if (signal.aborted) break;
    results.push(await compareSource(source, request, stored, dependencies));
  }
  const offered = new Set(sources.flatMap(({ instruments }) => instruments));
  const asked = [...(request.tickers ?? [])];
  return {
    sources: results,
    notStored: [...stored.lacking],
    notOffered: asked.filter((one) => !offered.has(one)),
    wasAborted: signal.aborted,
  };
}

/** What is compared with each source. */
interface ComparedStore {
  readonly sessionsOf: (ticker: Ticker) => readonly EpochDay[];
  readonly actions: CorporateActions;
  /** The instruments without a stored close on the session days of the request. */
  readonly lacking: Set<Ticker>;
}

/** Compares the instruments of one source. */
async function compareSource(
  source: HistorySource,
  request: HistoryCompareRequest,
  { sessionsOf, actions, lacking }: ComparedStore,
  dependencies: HistoryCompareDependencies,
): Promise<SourceComparison> {
  const { history, order, onProgress, onDifferences } = dependencies;
  const { name } = source;
  const requests = new HistoryRequests(source, dependencies);
  const last = request.to === undefined ? Infinity : toEpochDay(request.to);
  const decide = source.isCopy === true ? decideCopied : decideFetched;
  const found: SourceComparison = {
    source: name,
    requests: 0,
    instruments: 0,
    compared: 0,
    different: 0,
    replaceable: 0,
    lacking: 0,
    unstored: 0,
    rejected: 0,
    failed: requests.failed,
  };
  await requests.forEach(request, async (ticker, place) => {
    const days = sessionsOf(ticker).filter((day) => day <= last);
    const asked = rangeOf(days);
    const stored = asked === undefined ? [] : await history.readCloses(ticker, asked);
    const range = rangeOf(stored.map(({ day }) => day));
    if (range === undefined) {
      lacking.add(ticker);
      return;
    }
    const batch = await requests.fetch(ticker, range, (waiting) =>
      onProgress?.({ source: name, ticker, ...place, ...(waiting !== undefined && { waiting }) }),
    );
    if (batch === undefined) return;
    const compared = days.filter((day) => day >= range.from && day <= range.to);
    const { closes, outside } = onSessions(batch.closes, compared);
    const offered = closes.map((close) => ({ ...close, source: name }));
    const byDay = new Map(offered.map((close) => [close.day, close]));
    const pairs = stored.flatMap((one) => {
      const other = byDay.get(one.day);
      return other === undefined ? [] : [{ one, other }];
    });
    const differences = pairs
      .filter(({ one, other }) => !isSamePrice(one.close, other.close))
      .map(({ one, other }) => conflictOf(ticker, one, other));
    const decisions = decide({ stored, offered }, { order, actions: actions.of(ticker) });
    if (pairs.length > 0) found.instruments += 1;
    found.compared += pairs.length;
    found.different += differences.length;
    found.replaceable += decisions.filter(({ outcome }) => outcome === 'replaced').length;
    found.lacking += stored.length - pairs.length;
    found.unstored += byDay.size - pairs.length;
    found.rejected += batch.rejected.length + outside.length;
    if (differences.length > 0) onDifferences(differences);
  });
  found.requests = requests.count;
  return requests.stopped === undefined ? found : { ...found, stopped: requests.stopped };
}
