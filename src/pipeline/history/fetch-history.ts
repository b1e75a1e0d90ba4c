import type { EpochDay, PlainDate } from '../../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import {
  decideCopied,
  decideFetched,
  type FetchDecision,
} from '../../domain/history/offered-close.ts';
import { baseAgeDaysMax } from '../../domain/history/reference-closes.ts';
import type { SourceOrder } from '../../domain/history/source-order.ts';
import { rulesOf } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { HistorySource } from '../../feeds/contract/history-source.ts';
import type { ActionStore } from '../../store/contract/versioned-stores.ts';
import type {
  CloseReader,
  HistoryReader,
  HistoryWriter,
} from '../../store/contract/history-store.ts';
import {
  HistoryRequests,
  type ContinuePoint,
  type RequestDependencies,
  type RequestPause,
  type RunPlace,
} from '../source-requests.ts';
import { FetchedActions } from './fetched-actions.ts';
import { fetchedDays, onSessions, rangeOf, type MissingCloses } from './fetched-days.ts';
import { judgeOffers, type JudgedOffers } from './judge-offers.ts';
import type { LackingDays } from './lacking-days.ts';
import {
  rejectedClose,
  rejectedRow,
  SourceTally,
  type RejectedRow,
  type SourceFetch,
} from './source-fetch.ts';

/** What to fetch. */
export interface HistoryFetchRequest {
  /** Undefined: all instruments that the sources have. */
  readonly tickers?: ReadonlySet<Ticker>;
  /** The first day that is fetched. */
  readonly from: PlainDate;
  /** The first day whose closes of another Pizarra are read again. Undefined: those of the last month. */
  readonly correctedFrom?: PlainDate;
  /**
   * Maximum number of requests to each source. The others are left for the next run. Later sources are
   * not asked for the instruments that wait for it.
   */
  readonly requestsMax?: number;
  /** Where each source begins that an earlier run left early. */
  readonly startAt?: ReadonlyMap<string, ContinuePoint>;
}

/** The collaborators of a fetch. */
export interface HistoryFetchDependencies extends RequestDependencies {
  /** The sources to ask, in the order of the configuration. */
  readonly sources: readonly HistorySource[];
  /** The order of all configured sources, also of those that are not asked. */
  readonly order: SourceOrder;
  readonly history: Pick<HistoryReader, 'readSeries'> & CloseReader & HistoryWriter;
  readonly actions: Pick<ActionStore, 'readAll' | 'apply'>;
  readonly universe: Universe;
  readonly lacking: LackingDays;
  readonly onProgress?: (progress: HistoryFetchProgress) => void;
}

/** The progress, reported before each request and before each pause after a fault. */
export interface HistoryFetchProgress extends RunPlace {
  readonly source: string;
  readonly ticker: Ticker;
  /** The number of closes that the source has added so far. */
  readonly added: number;
  readonly waiting?: RequestPause;
}

/** The result of a fetch. */
export interface HistoryFetchSummary {
  readonly sources: readonly SourceFetch[];
  readonly missing: readonly MissingCloses[];
  /** Instruments that were requested by name and that no source has. */
  readonly notOffered: readonly Ticker[];
  readonly wasAborted: boolean;
  /** Where the next run begins, for the sources that were left early. */
  readonly continueAt: ReadonlyMap<string, ContinuePoint>;
}

/**
 * Fills the history of instruments from sources. A source is asked for the session days that have no
 * stored close, and for those whose close was fetched from a later source, such as while it could not
 * be reached. `decideFetched` in `domain/history/offered-close.ts` decides about each close that it sends: the
 * preferred source has priority over later ones, and a session of the service or an import over all.
 * The judge of prices decides whether a close is believed. One that is not is rejected.
 *
 * A corporate action of a source is added unless it is recorded already ({@link FetchedActions}).
 *
 * Each instrument is one transaction. After an end at any point, the next fetch continues: it requests
 * only what is still missing, except days that the source lacks ({@link LackingDays}).
 *
 * One request runs at a time. An aborted fetch ends early, with the summary so far.
 *
 * @throws StoreFault when the store fails. Closes stored before are kept.
 */
export async function fetchHistory(
  request: HistoryFetchRequest,
  dependencies: HistoryFetchDependencies,
): Promise<HistoryFetchSummary> {
  const { sources, signal } = dependencies;
  const shared: SharedFetch = {
    days: fetchedDays(request, dependencies),
    actions: new FetchedActions(dependencies),
    doubted: new Map(),
    waiting: new Map(),
    continueAt: new Map(),
  };
  const results: SourceFetch[] = [];
  for (const source of sources) {
    if (signal.aborted) break;
    results.push(await fetchFrom(source, request, shared, dependencies));
  }
  const offered = new Set(sources.flatMap(({ instruments }) => instruments));
  const asked = [...(request.tickers ?? offered)];
  const missing: MissingCloses[] = [];
  for (const ticker of asked.filter((one) => offered.has(one))) {
    const found = await shared.days.missingOf(ticker);
    if (found !== undefined) missing.push(found);
  }
  return {
    sources: results,
    missing,
    notOffered: asked.filter((one) => !offered.has(one)),
    wasAborted: signal.aborted,
    continueAt: shared.continueAt,
  };
}

/** What the sources of one fetch share. */
interface SharedFetch {
  readonly days: ReturnType<typeof fetchedDays>;
  readonly actions: FetchedActions;
  /** Closes of this fetch that were not believed, by instrument and day. They are witnesses for later sources. */
  readonly doubted: Map<string, DailyClose[]>;
  /** Instruments that wait until the next run for a source that has come to the maximum of its requests. */
  readonly waiting: Map<Ticker, string[]>;
  readonly continueAt: Map<string, ContinuePoint>;
}

/** Runs one fetch over the instruments of one source. */
async function fetchFrom(
  source: HistorySource,
  request: HistoryFetchRequest,
  { days, actions: fetchedActions, doubted: doubtedCloses, waiting, continueAt }: SharedFetch,
  dependencies: HistoryFetchDependencies,
): Promise<SourceFetch> {
  const { clock, history, lacking, order, onProgress, universe } = dependencies;
  const { name } = source;
  const isCopy = source.isCopy === true;
  const requests = new HistoryRequests(source, dependencies);
  const result = new SourceTally(name);

  /** Whether an earlier source is to be asked for the instrument first, in the next run. */
  const waits = async (ticker: Ticker): Promise<boolean> => {
    for (const earlier of waiting.get(ticker) ?? []) {
      if ((await days.wantedOf(earlier, ticker)) !== undefined) return true;
    }
    return false;
  };

  /** Closes of other sources for the same day: the stored one, and those of this fetch that were not believed. */
  const witnessesOf = (ticker: Ticker, { offered: { day }, stored }: FetchDecision) => {
    const others = doubtedCloses.get(`${ticker}\n${day}`) ?? [];
    return [...others, ...(stored === undefined ? [] : [stored])]
      .filter((one) => one.source !== name)
      .map((one) => ({ price: one.close, at: 0, source: one.source }));
  };

  /** Counts the decisions, and collects the doubted closes. Returns the days whose stored close is of the source. */
  const note = (
    ticker: Ticker,
    decisions: readonly FetchDecision[],
    { doubted, moves }: JudgedOffers,
  ): ReadonlySet<EpochDay> => {
    const own = new Set<EpochDay>();
    const rejected: RejectedRow[] = [];
    let hasChanged = false;
    for (const decision of decisions) {
      const { outcome, offered, result: changed } = decision;
      const { day } = offered;
      const doubt = doubted.get(day) ?? (outcome === 'other-basis' ? outcome : undefined);
      if (doubt === undefined) {
        if (changed !== undefined || outcome === 'same') own.add(day);
        hasChanged ||= changed !== undefined;
        result.count(ticker, decision);
        continue;
      }
      rejected.push(rejectedClose(ticker, offered, doubt));
      if (doubt === 'other-basis') continue;
      doubtedCloses.getOrInsert(`${ticker}\n${day}`, []).push(offered);
    }
    if (hasChanged) result.instruments += 1;
    result.reject(rejected);
    result.addMoves(ticker, moves);
    return own;
  };

  /** Stores the closes that the order of the sources and the judge accept. Returns their days. */
  const store = async (
    ticker: Ticker,
    offered: readonly DailyClose[],
    sent: readonly CorporateAction[],
  ): Promise<ReadonlySet<EpochDay>> => {
    const range = rangeOf(offered.map(({ day }) => day));
    if (range === undefined) return new Set();
    const actions = await fetchedActions.of(ticker, sent);
    const { kind } = universe.get(ticker);
    const ofTicker = (one: FetchDecision) => witnessesOf(ticker, one);
    const { decisions, judged } = await history.transaction(
      async (transaction) => {
        const stored = await transaction.read(ticker, {
          from: (range.from - baseAgeDaysMax) as EpochDay,
          to: (range.to + baseAgeDaysMax) as EpochDay,
        });
        const decide = isCopy ? decideCopied : decideFetched;
        const all = decide({ stored, offered }, { order, actions });
        // Another Pizarra has judged its closes.
        const verdict = isCopy
          ? { doubted: new Map(), moves: [] }
          : judgeOffers(stored, all, { kind, actions, witnessesOf: ofTicker });
        const accepted = all.filter((one) => !verdict.doubted.has(one.offered.day));
        await transaction.put(
          ticker,
          accepted.flatMap((one) => one.result ?? []),
        );
        return { decisions: all, judged: verdict };
      },
      { origin: 'fetch', now: () => clock.now() },
    );
    return note(ticker, decisions, judged);
  };

  const fill = async (ticker: Ticker, place: RunPlace): Promise<void> => {
    const wanted = await days.wantedOf(name, ticker, { isCopy });
    if (wanted === undefined) return;
    if (await waits(ticker)) {
      result.waiting += 1;
      return;
    }
    const { count } = requests;
    // The maximum spares public sources. Another Pizarra has limits of its own.
    if (!isCopy && count >= (request.requestsMax ?? Infinity)) {
      requests.stopAtLimit(`the maximum of ${count} requests for one run is reached`);
      return;
    }
    const { added } = result;
    const batch = await requests.fetch(ticker, wanted.range, (pause) =>
      onProgress?.({ source: name, ticker, ...place, added, ...(pause && { waiting: pause }) }),
    );
    if (batch === undefined) return;
    const { rejected, actions: sent = [] } = batch;
    const sessions = days.sessionsOf(ticker);
    const { closes, outside } = onSessions(batch.closes, sessions);
    result.reject([
      ...rejected.map((row) => rejectedRow(ticker, row)),
      ...outside.map((close) => rejectedClose(ticker, close, 'no-session')),
    ]);
    const { hasVolume } = rulesOf(universe.get(ticker));
    const own = { source: name, ...(!hasVolume && { volume: null }) };
    const offered = closes.map((close) => ({ ...close, ...own }));
    const stored = await store(ticker, offered, sent);
    // After the closes, which may contradict an action.
    if (isCopy && batch.actions !== undefined) {
      result.actions += await fetchedActions.copy({ source: name, ticker, actions: sent });
    } else {
      const { added: recorded, contradicted } = await fetchedActions.add(sent);
      result.actions += recorded;
      result.contradicted.push(...contradicted);
    }
    // What the source does not have, and what it has and is not stored, may be better in a later response.
    const unmet = wanted.days.filter((day) => !stored.has(day));
    lacking.note(name, ticker, { days: unmet, sessions });
  };

  const { tickers, startAt } = request;
  const end = await requests.forEach({ tickers, startAt: startAt?.get(name) }, fill);
  if (end?.continueAt !== undefined) continueAt.set(name, end.continueAt);
  for (const ticker of end?.waiting ?? []) waiting.getOrInsert(ticker, []).push(name);
  const { count, failed, stopped } = requests;
  return Object.assign(result, { requests: count, failed, stopped });
}
