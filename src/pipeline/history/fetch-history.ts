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
import { FetchedDays, onSessions, rangeOf, type MissingCloses } from './fetched-days.ts';
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
    days: new FetchedDays(request, dependencies),
    actions: new FetchedActions(dependencies),
    doubted: new Map(),
    waiting: new Map(),
    continueAt: new Map(),
  };
  const results: SourceFetch[] = [];
  for (const source of sources) {
    if (signal.aborted) break;
    results.push(await new SourceRun(source, request, shared, dependencies).run());
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
  readonly days: FetchedDays;
  readonly actions: FetchedActions;
  /** Closes of this fetch that were not believed, by instrument and day. They are witnesses for later sources. */
  readonly doubted: Map<string, DailyClose[]>;
  /** Instruments that wait until the next run for a source that has come to the maximum of its requests. */
  readonly waiting: Map<Ticker, string[]>;
  readonly continueAt: Map<string, ContinuePoint>;
}

/** The run of one fetch over the instruments of one source. */
class SourceRun {
  readonly #source: HistorySource;
  readonly #isCopy: boolean;
  readonly #request: HistoryFetchRequest;
  readonly #shared: SharedFetch;
  readonly #dependencies: HistoryFetchDependencies;
  readonly #requests: HistoryRequests;
  readonly #result: SourceTally;

  constructor(
    source: HistorySource,
    request: HistoryFetchRequest,
    shared: SharedFetch,
    dependencies: HistoryFetchDependencies,
  ) {
    this.#source = source;
    this.#isCopy = source.isCopy === true;
    this.#request = request;
    this.#shared = shared;
    this.#dependencies = dependencies;
    this.#requests = new HistoryRequests(source, dependencies);
    this.#result = new SourceTally(source.name);
  }

  async run(): Promise<SourceFetch> {
    const { name } = this.#source;
    const { tickers, startAt } = this.#request;
    const end = await this.#requests.forEach(
      { tickers, startAt: startAt?.get(name) },
      (ticker, place) => this.#fill(ticker, place),
    );
    if (end?.continueAt !== undefined) this.#shared.continueAt.set(name, end.continueAt);
    for (const ticker of end?.waiting ?? []) {
      this.#shared.waiting.set(ticker, [...(this.#shared.waiting.get(ticker) ?? []), name]);
    }
    const { count: requests, failed, stopped } = this.#requests;
    return Object.assign(this.#result, { requests, failed, stopped });
  }

  async #fill(ticker: Ticker, place: RunPlace): Promise<void> {
    const { lacking, onProgress, universe } = this.#dependencies;
    const { name: source } = this.#source;
    const { days } = this.#shared;
    const wanted = await days.wantedOf(source, ticker, { isCopy: this.#isCopy });
    if (wanted === undefined) return;
    if (await this.#waits(ticker)) {
      this.#result.waiting += 1;
      return;
    }
    const { count } = this.#requests;
    // The maximum spares public sources. Another Pizarra has limits of its own.
    if (!this.#isCopy && count >= (this.#request.requestsMax ?? Infinity)) {
      this.#requests.stopAtLimit(`the maximum of ${count} requests for one run is reached`);
      return;
    }
    const { added } = this.#result;
    const batch = await this.#requests.fetch(ticker, wanted.range, (waiting) =>
      onProgress?.({ source, ticker, ...place, added, ...(waiting !== undefined && { waiting }) }),
    );
    if (batch === undefined) return;
    const { rejected, actions: sent = [] } = batch;
    const sessions = days.sessionsOf(ticker);
    const { closes, outside } = onSessions(batch.closes, sessions);
    this.#result.reject([
      ...rejected.map((row) => rejectedRow(ticker, row)),
      ...outside.map((close) => rejectedClose(ticker, close, 'no-session')),
    ]);
    const { hasVolume } = rulesOf(universe.get(ticker));
    const own = closes.map((close) => ({ ...close, source, ...(!hasVolume && { volume: null }) }));
    const stored = await this.#store(ticker, own, sent);
    // After the closes, which may contradict an action.
    if (this.#isCopy && batch.actions !== undefined) {
      this.#result.actions += await this.#shared.actions.copy({ source, ticker, actions: sent });
    } else {
      const { added: recorded, contradicted } = await this.#shared.actions.add(sent);
      this.#result.actions += recorded;
      this.#result.contradicted.push(...contradicted);
    }
    // What the source does not have, and what it has and is not stored, may be better in a later response.
    const unmet = wanted.days.filter((day) => !stored.has(day));
    lacking.note(source, ticker, { days: unmet, sessions });
  }

  /** Whether an earlier source is to be asked for the instrument first, in the next run. */
  async #waits(ticker: Ticker): Promise<boolean> {
    const { waiting, days } = this.#shared;
    for (const earlier of waiting.get(ticker) ?? []) {
      if ((await days.wantedOf(earlier, ticker)) !== undefined) return true;
    }
    return false;
  }

  /** Stores what the rules of sources and the judge let the source store. Returns the days of these closes. */
  async #store(
    ticker: Ticker,
    offered: readonly DailyClose[],
    sent: readonly CorporateAction[],
  ): Promise<ReadonlySet<EpochDay>> {
    const range = rangeOf(offered.map(({ day }) => day));
    if (range === undefined) return new Set();
    const { history, order, universe, clock } = this.#dependencies;
    const stamp = { origin: 'fetch', now: () => clock.now() } as const;
    const actions = await this.#shared.actions.of(ticker, sent);
    const { kind } = universe.get(ticker);
    const witnessesOf = (one: FetchDecision) => this.#witnessesOf(ticker, one);
    const { decisions, judged } = await history.transaction(async (transaction) => {
      const stored = await transaction.read(ticker, {
        from: (range.from - baseAgeDaysMax) as EpochDay,
        to: (range.to + baseAgeDaysMax) as EpochDay,
      });
      const decide = this.#isCopy ? decideCopied : decideFetched;
      const all = decide({ stored, offered }, { order, actions });
      // Another Pizarra has judged its closes.
      const verdict = this.#isCopy
        ? { doubted: new Map(), moves: [] }
        : judgeOffers(stored, all, { kind, actions, witnessesOf });
      const accepted = all.filter((one) => !verdict.doubted.has(one.offered.day));
      await transaction.put(
        ticker,
        accepted.flatMap(({ result }) => result ?? []),
      );
      return { decisions: all, judged: verdict };
    }, stamp);
    return this.#note(ticker, decisions, judged);
  }

  /** Closes of other sources for the same day: the stored one, and those of this fetch that were not believed. */
  #witnessesOf(ticker: Ticker, { offered: { day }, stored }: FetchDecision) {
    const doubted = this.#shared.doubted.get(`${ticker}\n${day}`) ?? [];
    return [...doubted, ...(stored === undefined ? [] : [stored])]
      .filter(({ source }) => source !== this.#source.name)
      .map(({ close, source }) => ({ price: close, at: 0, source }));
  }

  /** Notes what was decided. Returns the days whose closes are those of the source. */
  #note(
    ticker: Ticker,
    decisions: readonly FetchDecision[],
    { doubted, moves }: JudgedOffers,
  ): ReadonlySet<EpochDay> {
    const days = new Set<EpochDay>();
    const rejected: RejectedRow[] = [];
    let hasChanged = false;
    for (const decision of decisions) {
      const { outcome, offered, result } = decision;
      const { day } = offered;
      const doubt = doubted.get(day) ?? (outcome === 'other-basis' ? outcome : undefined);
      if (doubt === undefined) {
        if (result !== undefined || outcome === 'same') days.add(day);
        hasChanged ||= result !== undefined;
        this.#result.count(ticker, decision);
        continue;
      }
      rejected.push(rejectedClose(ticker, offered, doubt));
      if (doubt === 'other-basis') continue;
      const key = `${ticker}\n${day}`;
      this.#shared.doubted.set(key, [...(this.#shared.doubted.get(key) ?? []), offered]);
    }
    if (hasChanged) this.#result.instruments += 1;
    this.#result.reject(rejected);
    this.#result.addMoves(ticker, moves);
    return days;
  }
}
