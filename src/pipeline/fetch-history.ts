import type { CorporateAction } from '../domain/corporate-action.ts';
import type { DailyClose } from '../domain/daily-close.ts';
import { rulesOf } from '../domain/instrument.ts';
import { conflictOf, decideClose } from '../domain/offered-close.ts';
import type { CloseConflict } from '../domain/offered-close.ts';
import type { EpochDay, PlainDate } from '../domain/plain-date.ts';
import type { Ticker } from '../domain/ticker.ts';
import type { Universe } from '../domain/universe.ts';
import type { HistorySource } from '../feeds/history-source.ts';
import type { ActionStore } from '../store/action-store.ts';
import type { HistoryReader, HistoryWriter } from '../store/history-store.ts';
import { FetchedActions } from './fetched-actions.ts';
import type { LackingDays } from './lacking-days.ts';
import { onSessions, rangeOf, SessionDays } from './session-days.ts';
import { SourceRequests, SourceStop } from './source-requests.ts';
import type {
  FailedInstrument,
  RequestDependencies,
  RequestPause,
  RunPlace,
} from './source-requests.ts';

/** Maximum number of conflicts that the result of one source lists. All are counted. */
const conflictsListedMax = 10_000;

/** What to fetch. */
export interface HistoryFetchRequest {
  /** Undefined: all instruments that the sources have. */
  readonly tickers?: ReadonlySet<Ticker>;
  /** The first day that is fetched. */
  readonly from: PlainDate;
  /** Maximum number of requests to each source. The others are left for the next run. */
  readonly requestsMax?: number;
}

/** The collaborators of a fetch. */
export interface HistoryFetchDependencies extends RequestDependencies {
  /** In the order of the configuration: the first source that has a close is the one that is used. */
  readonly sources: readonly HistorySource[];
  readonly history: HistoryReader & HistoryWriter;
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

/** What one source gave. */
export interface SourceFetch {
  readonly source: string;
  readonly requests: number;
  readonly added: number;
  /** Stored closes of this source that it has corrected. */
  readonly corrected: number;
  /** Instruments that have a new or a corrected close. */
  readonly instruments: number;
  /** Rows that are no close, and closes of days without a session. */
  readonly rejected: number;
  /** Closes that are in conflict with the stored ones of other sources, which are kept. */
  readonly different: number;
  /** The first {@link conflictsListedMax} of them. */
  readonly conflicts: readonly CloseConflict[];
  /** The number of corporate actions that the source has added. */
  readonly actions: number;
  /** Actions that the stored closes contradict. They are not stored. */
  readonly contradicted: readonly CorporateAction[];
  /** Instruments that the source did not serve. */
  readonly failed: readonly FailedInstrument[];
  /** Why the source was left before its last instrument. */
  readonly stopped?: string;
}

/** An instrument without a close, or with session days without a close after its first close. */
export interface MissingCloses {
  readonly ticker: Ticker;
  /** Undefined: it has no close at all. */
  readonly gaps: { readonly days: number; readonly last: EpochDay } | undefined;
}

/** The result of a fetch. */
export interface HistoryFetchSummary {
  readonly sources: readonly SourceFetch[];
  readonly missing: readonly MissingCloses[];
  /** Instruments that were requested by name and that no source has. */
  readonly notOffered: readonly Ticker[];
  readonly wasAborted: boolean;
}

/**
 * Fills the history of instruments from sources. Only ranges with session days without a stored close
 * are fetched. {@link decideClose} is the rule for the days of a range that have one: a source corrects
 * its own closes and changes no other. So a close of the service's own session, and one that an operator
 * has imported, have priority over all sources, and an earlier source over a later one.
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
  const days = new FetchedDays(request.from, dependencies);
  const actions = new FetchedActions(dependencies);
  const results: SourceFetch[] = [];
  for (const source of sources) {
    if (signal.aborted) break;
    results.push(await new SourceRun(source, request, { days, actions }, dependencies).run());
  }
  const offered = new Set(sources.flatMap(({ instruments }) => instruments));
  const asked = [...(request.tickers ?? offered)];
  const missing: MissingCloses[] = [];
  for (const ticker of asked.filter((one) => offered.has(one))) {
    const found = await days.missingOf(ticker);
    if (found !== undefined) missing.push(found);
  }
  return {
    sources: results,
    missing,
    notOffered: asked.filter((one) => !offered.has(one)),
    wasAborted: signal.aborted,
  };
}

/** The session days that a fetch covers, and which of them have no stored close. */
class FetchedDays {
  readonly #sessions: SessionDays;
  readonly #history: HistoryReader;

  constructor(
    from: PlainDate,
    dependencies: Pick<HistoryFetchDependencies, 'history' | 'universe' | 'clock'>,
  ) {
    this.#sessions = new SessionDays(from, dependencies);
    this.#history = dependencies.history;
  }

  sessionsOf(ticker: Ticker): readonly EpochDay[] {
    return this.#sessions.of(ticker);
  }

  /** The session days without a stored close, ascending, and the first day with one. */
  async unstored(
    ticker: Ticker,
  ): Promise<{ readonly days: readonly EpochDay[]; readonly first: EpochDay | undefined }> {
    const sessions = this.sessionsOf(ticker);
    const range = rangeOf(sessions);
    if (range === undefined) return { days: [], first: undefined };
    const series = await this.#history.readSeries(ticker, range);
    const stored = new Set<number>(series.days);
    const first = series.days[0] as EpochDay | undefined;
    return { days: sessions.filter((day) => !stored.has(day)), first };
  }

  /** Undefined for an instrument that lacks nothing. */
  async missingOf(ticker: Ticker): Promise<MissingCloses | undefined> {
    const { days, first } = await this.unstored(ticker);
    if (days.length === 0) return undefined;
    if (first === undefined) return { ticker, gaps: undefined };
    const gaps = days.filter((day) => day > first);
    const last = gaps.at(-1);
    return last === undefined ? undefined : { ticker, gaps: { days: gaps.length, last } };
  }
}

/** The run of one fetch over the instruments of one source. */
class SourceRun {
  readonly #source: HistorySource;
  readonly #request: HistoryFetchRequest;
  readonly #days: FetchedDays;
  readonly #fetchedActions: FetchedActions;
  readonly #dependencies: HistoryFetchDependencies;
  readonly #requests: SourceRequests;
  readonly #conflicts: CloseConflict[] = [];
  #different = 0;
  #added = 0;
  #corrected = 0;
  #instruments = 0;
  #rejected = 0;
  #actions = 0;
  readonly #contradicted: CorporateAction[] = [];

  constructor(
    source: HistorySource,
    request: HistoryFetchRequest,
    { days, actions }: { readonly days: FetchedDays; readonly actions: FetchedActions },
    dependencies: HistoryFetchDependencies,
  ) {
    this.#source = source;
    this.#request = request;
    this.#days = days;
    this.#fetchedActions = actions;
    this.#dependencies = dependencies;
    this.#requests = new SourceRequests(source, dependencies);
  }

  async run(): Promise<SourceFetch> {
    const stopped = await this.#requests.forEach(this.#request.tickers, (ticker, place) =>
      this.#fill(ticker, place),
    );
    return {
      source: this.#source.name,
      requests: this.#requests.count,
      added: this.#added,
      corrected: this.#corrected,
      instruments: this.#instruments,
      rejected: this.#rejected,
      different: this.#different,
      conflicts: this.#conflicts,
      actions: this.#actions,
      contradicted: this.#contradicted,
      failed: this.#requests.failed,
      ...(stopped === undefined ? {} : { stopped }),
    };
  }

  async #fill(ticker: Ticker, place: RunPlace): Promise<void> {
    const { lacking, onProgress } = this.#dependencies;
    const { name: source } = this.#source;
    const { days: unstored } = await this.#days.unstored(ticker);
    const known = lacking.daysOf(source, ticker);
    const wanted = unstored.filter((day) => !known.has(day));
    const range = rangeOf(wanted);
    if (range === undefined) return;
    const { count } = this.#requests;
    if (count >= (this.#request.requestsMax ?? Infinity)) {
      throw new SourceStop(`the maximum of ${count} requests for one run is reached`);
    }
    const batch = await this.#requests.fetch(ticker, range, (waiting) =>
      onProgress?.({
        source,
        ticker,
        ...place,
        added: this.#added,
        ...(waiting !== undefined && { waiting }),
      }),
    );
    if (batch === undefined) return;
    const sessions = this.#days.sessionsOf(ticker);
    const { closes, outside } = onSessions(batch.closes, sessions);
    this.#rejected += batch.rejected.length + outside;
    const { hasVolume } = rulesOf(this.#dependencies.universe.get(ticker));
    const own = closes.map((close) => ({ ...close, source, ...(!hasVolume && { volume: null }) }));
    await this.#store(ticker, own);
    await this.#storeActions(batch.actions ?? []);
    const sent = new Set(closes.map(({ day }) => day));
    const days = wanted.filter((day) => !sent.has(day));
    lacking.note(source, ticker, { days, sessions });
  }

  /** After the closes, which may contradict an action. */
  async #storeActions(actions: readonly CorporateAction[]): Promise<void> {
    const { added, contradicted } = await this.#fetchedActions.add(actions);
    this.#actions += added;
    this.#contradicted.push(...contradicted);
  }

  /** Stores what {@link decideClose} lets a source store. */
  async #store(ticker: Ticker, closes: readonly DailyClose[]): Promise<void> {
    const range = rangeOf(closes.map(({ day }) => day));
    if (range === undefined) return;
    const { history } = this.#dependencies;
    const { changed, conflicts, added } = await history.transaction(async (transaction) => {
      const stored = await transaction.read(ticker, range);
      const decided = decideAll(ticker, closes, new Map(stored.map((one) => [one.day, one])));
      await transaction.put(ticker, decided.changed);
      return decided;
    });
    this.#added += added;
    this.#corrected += changed.length - added;
    if (changed.length > 0) this.#instruments += 1;
    this.#different += conflicts.length;
    this.#conflicts.push(...conflicts.slice(0, conflictsListedMax - this.#conflicts.length));
  }
}

/** The closes of a source that are to be stored, the number of those that are new, and the conflicts. */
function decideAll(
  ticker: Ticker,
  closes: readonly DailyClose[],
  storedByDay: ReadonlyMap<EpochDay, DailyClose>,
): {
  readonly changed: readonly DailyClose[];
  readonly added: number;
  readonly conflicts: readonly CloseConflict[];
} {
  const changed: DailyClose[] = [];
  const conflicts: CloseConflict[] = [];
  let added = 0;
  for (const offered of closes) {
    const stored = storedByDay.get(offered.day);
    const { close, isConflict } = decideClose(stored, offered, 'source');
    if (stored === undefined) added += 1;
    else if (isConflict) conflicts.push(conflictOf(ticker, stored, offered));
    if (close !== stored) changed.push(close);
  }
  return { changed, added, conflicts };
}
