import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import { rulesOf } from '../../domain/instruments/instrument.ts';
import {
  conflictOf,
  decideCopied,
  decideFetched,
  type CloseConflict,
  type FetchDecision,
} from '../../domain/history/offered-close.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { baseAgeDaysMax } from '../../domain/history/reference-closes.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { HistorySource } from '../../feeds/contract/history-source.ts';
import type { FetchedActions } from './fetched-actions.ts';
import type { FetchedDays } from './fetched-days.ts';
import type { HistoryFetchDependencies, HistoryFetchRequest } from './fetch-request.ts';
import { judgeOffers, type JudgedOffers, type StoredMove } from './judge-offers.ts';
import { SourceStop } from './paced-requests.ts';
import {
  isDoubtful,
  rejectedClose,
  rejectedRow,
  type RejectedRow,
  type RowReason,
} from './rejected-row.ts';
import { onSessions, rangeOf } from './session-days.ts';
import {
  SourceRequests,
  type ContinuePoint,
  type FailedInstrument,
  type RunPlace,
} from './source-requests.ts';

/** Maximum number of entries of each list in the result of one source. All entries are counted. */
const listedMax = 10_000;

/** What is said about the closes of another Pizarra, which has judged them. */
const allBelieved: JudgedOffers = { doubted: new Map(), moves: [] };

/** What one source gave. */
export interface SourceFetch {
  readonly source: string;
  readonly requests: number;
  readonly added: number;
  /** Stored closes of this source that it has corrected. */
  readonly corrected: number;
  /** Stored closes of later sources that it has replaced by different ones. */
  readonly replaced: number;
  /** Stored closes of later sources that are equal to those of this source, which is now their source. */
  readonly takenOver: number;
  /** Instruments of which a close has changed. */
  readonly instruments: number;
  /** Rows that are not stored: no close, of a day without a session, or doubtful. */
  readonly rejected: number;
  /** Their number for each reason. */
  readonly rejectedByReason: ReadonlyMap<RowReason, number>;
  /** The first {@link listedMax} of them. The doubtful ones come first. */
  readonly rejectedRows: readonly RejectedRow[];
  /** Closes that differ from the stored ones, which are kept. */
  readonly different: number;
  /** The first {@link listedMax} of them. */
  readonly conflicts: readonly CloseConflict[];
  /** The first {@link listedMax} closes of later sources that were replaced. */
  readonly replacements: readonly CloseConflict[];
  /** The first {@link listedMax} closes that are stored although their move looks like that of a split. */
  readonly moves: readonly StoredMove[];
  /** The number of corporate actions that the source has added. */
  readonly actions: number;
  /** Actions that the stored closes contradict. They are not stored. */
  readonly contradicted: readonly CorporateAction[];
  /** Instruments that wait for an earlier source, which has come to the maximum of its requests. */
  readonly waiting: number;
  /** Instruments that the source did not serve. */
  readonly failed: readonly FailedInstrument[];
  /** Why the source was left before its last instrument. */
  readonly stopped?: string;
}

/** What the sources of one fetch share. */
export interface SharedFetch {
  readonly days: FetchedDays;
  readonly actions: FetchedActions;
  /** Closes of this fetch that were not believed, by instrument and day. They are witnesses for later sources. */
  readonly doubted: Map<string, DailyClose[]>;
  /** Instruments that wait until the next run for a source that has come to the maximum of its requests. */
  readonly waiting: Map<Ticker, string[]>;
  /** Where the next run begins, for the sources that were left early. */
  readonly continueAt: Map<string, ContinuePoint>;
}

/** The run of one fetch over the instruments of one source. */
export class SourceRun {
  readonly #source: HistorySource;
  readonly #request: HistoryFetchRequest;
  readonly #shared: SharedFetch;
  readonly #dependencies: HistoryFetchDependencies;
  readonly #requests: SourceRequests;
  readonly #counts = {
    added: 0,
    corrected: 0,
    replaced: 0,
    takenOver: 0,
    instruments: 0,
    rejected: 0,
    different: 0,
    actions: 0,
    waiting: 0,
  };
  readonly #lists = {
    rejectedByReason: new Map<RowReason, number>(),
    conflicts: [] as CloseConflict[],
    replacements: [] as CloseConflict[],
    moves: [] as StoredMove[],
    contradicted: [] as CorporateAction[],
  };
  /** Doubtful rows apart, so that a long list of others does not hide them. */
  readonly #doubtfulRows: RejectedRow[] = [];
  readonly #rejectedRows: RejectedRow[] = [];

  constructor(
    source: HistorySource,
    request: HistoryFetchRequest,
    shared: SharedFetch,
    dependencies: HistoryFetchDependencies,
  ) {
    this.#source = source;
    this.#request = request;
    this.#shared = shared;
    this.#dependencies = dependencies;
    this.#requests = new SourceRequests(source, dependencies);
  }

  async run(): Promise<SourceFetch> {
    const { name } = this.#source;
    const { tickers, startAt } = this.#request;
    const first = startAt?.get(name);
    const end = await this.#requests.forEach(
      { ...(tickers && { tickers }), ...(first !== undefined && { startAt: first }) },
      (ticker, place) => this.#fill(ticker, place),
    );
    if (end?.continueAt !== undefined) this.#shared.continueAt.set(name, end.continueAt);
    for (const ticker of end?.waiting ?? []) {
      this.#shared.waiting.set(ticker, [...(this.#shared.waiting.get(ticker) ?? []), name]);
    }
    return {
      source: name,
      requests: this.#requests.count,
      ...this.#counts,
      ...this.#lists,
      rejectedRows: [...this.#doubtfulRows, ...this.#rejectedRows].slice(0, listedMax),
      failed: this.#requests.failed,
      ...(end === undefined ? {} : { stopped: end.message }),
    };
  }

  async #fill(ticker: Ticker, place: RunPlace): Promise<void> {
    const { lacking, onProgress } = this.#dependencies;
    const { name: source } = this.#source;
    const { days } = this.#shared;
    const { isCopy = false } = this.#source;
    const wanted = await days.wantedOf(source, ticker, { isCopy });
    if (wanted === undefined) return;
    if (await this.#waits(ticker)) {
      this.#counts.waiting += 1;
      return;
    }
    const { count } = this.#requests;
    // The maximum spares public sources. Another Pizarra has limits of its own.
    if (!isCopy && count >= (this.#request.requestsMax ?? Infinity)) {
      const message = `the maximum of ${count} requests for one run is reached`;
      throw new SourceStop(message, { isOwnLimit: true });
    }
    const { added } = this.#counts;
    const batch = await this.#requests.fetch(ticker, wanted.range, (waiting) =>
      onProgress?.({ source, ticker, ...place, added, ...(waiting !== undefined && { waiting }) }),
    );
    if (batch === undefined) return;
    const sessions = days.sessionsOf(ticker);
    const { closes, outside } = onSessions(batch.closes, sessions);
    this.#reject([
      ...batch.rejected.map((row) => rejectedRow(ticker, row)),
      ...outside.map((close) => rejectedClose(ticker, close, 'no-session')),
    ]);
    const { hasVolume } = rulesOf(this.#dependencies.universe.get(ticker));
    const own = closes.map((close) => ({ ...close, source, ...(!hasVolume && { volume: null }) }));
    const stored = await this.#store(ticker, own, batch.actions ?? []);
    await (isCopy && batch.actions !== undefined
      ? this.#copyActions(ticker, batch.actions)
      : this.#storeActions(batch.actions ?? []));
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

  /** After the closes, which may contradict an action. */
  async #storeActions(actions: readonly CorporateAction[]): Promise<void> {
    const { added, contradicted } = await this.#shared.actions.add(actions);
    this.#counts.actions += added;
    this.#lists.contradicted.push(...contradicted);
  }

  async #copyActions(ticker: Ticker, actions: readonly CorporateAction[]): Promise<void> {
    const source = this.#source.name;
    this.#counts.actions += await this.#shared.actions.copy({ source, ticker, actions });
  }

  /** Stores what the rules of sources and the judge let the source store. Returns the days of these closes. */
  async #store(
    ticker: Ticker,
    closes: readonly DailyClose[],
    sent: readonly CorporateAction[],
  ): Promise<ReadonlySet<EpochDay>> {
    const range = rangeOf(closes.map(({ day }) => day));
    if (range === undefined) return new Set();
    const { history, order, universe, clock } = this.#dependencies;
    const stamp = { origin: 'fetch', now: () => clock.now() } as const;
    const actions = await this.#shared.actions.of(ticker, sent);
    const { kind } = universe.get(ticker);
    const { decisions, judged } = await history.transaction(async (transaction) => {
      const stored = await transaction.read(ticker, {
        from: (range.from - baseAgeDaysMax) as EpochDay,
        to: (range.to + baseAgeDaysMax) as EpochDay,
      });
      const isCopy = this.#source.isCopy === true;
      const all = isCopy
        ? decideCopied({ stored, offered: closes }, { order })
        : decideFetched({ stored, offered: closes }, { order, actions });
      const witnessesOf = (one: FetchDecision) => this.#witnessesOf(ticker, one);
      const verdict = isCopy
        ? allBelieved
        : judgeOffers(stored, all, { kind, actions, witnessesOf });
      const accepted = all.filter(({ offered }) => !verdict.doubted.has(offered.day));
      await transaction.put(
        ticker,
        accepted.flatMap(({ result }) => result ?? []),
      );
      return { decisions: all, judged: verdict };
    }, stamp);
    return this.#count(ticker, decisions, judged);
  }

  /** Closes of other sources for the same day: the stored one, and those of this fetch that were not believed. */
  #witnessesOf(ticker: Ticker, { offered: { day }, stored }: FetchDecision) {
    const doubted = this.#shared.doubted.get(`${ticker}\n${day}`) ?? [];
    return [...doubted, ...(stored === undefined ? [] : [stored])]
      .filter(({ source }) => source !== this.#source.name)
      .map(({ close, source }) => ({ price: close, at: 0, source }));
  }

  #noteWitness(ticker: Ticker, close: DailyClose): void {
    const { doubted } = this.#shared;
    const key = `${ticker}\n${close.day}`;
    doubted.set(key, [...(doubted.get(key) ?? []), close]);
  }

  /** Counts and lists what was decided. Returns the days whose closes are those of the source. */
  #count(
    ticker: Ticker,
    decisions: readonly FetchDecision[],
    { doubted, moves }: JudgedOffers,
  ): ReadonlySet<EpochDay> {
    const counts = this.#counts;
    const { conflicts, replacements, moves: listed } = this.#lists;
    const days = new Set<EpochDay>();
    const rejected: RejectedRow[] = [];
    for (const { outcome, offered, stored, result } of decisions) {
      const { day } = offered;
      const doubt = doubted.get(day) ?? (outcome === 'other-basis' ? outcome : undefined);
      if (doubt !== undefined) {
        rejected.push(rejectedClose(ticker, offered, doubt));
        if (doubt !== 'other-basis') this.#noteWitness(ticker, offered);
        continue;
      }
      if (result !== undefined || outcome === 'same') days.add(day);
      if (outcome === 'added') counts.added += 1;
      else if (outcome === 'corrected') counts.corrected += 1;
      else if (outcome === 'taken-over') counts.takenOver += 1;
      if (stored === undefined || (outcome !== 'kept' && outcome !== 'replaced')) continue;
      counts[outcome === 'kept' ? 'different' : 'replaced'] += 1;
      const list = outcome === 'kept' ? conflicts : replacements;
      if (list.length < listedMax) list.push(conflictOf(ticker, stored, offered));
    }
    const isChanged = decisions.some(
      ({ result, offered }) => result !== undefined && !doubted.has(offered.day),
    );
    if (isChanged) counts.instruments += 1;
    this.#reject(rejected);
    const free = listedMax - listed.length;
    listed.push(...moves.slice(0, free).map((move) => ({ ticker, ...move })));
    return days;
  }

  #reject(rows: readonly RejectedRow[]): void {
    const { rejectedByReason } = this.#lists;
    this.#counts.rejected += rows.length;
    for (const row of rows) {
      const { reason } = row;
      rejectedByReason.set(reason, (rejectedByReason.get(reason) ?? 0) + 1);
      const list = isDoubtful(row) ? this.#doubtfulRows : this.#rejectedRows;
      if (list.length < listedMax) list.push(row);
    }
  }
}
