import type { CorporateAction } from '../domain/corporate-action.ts';
import type { DailyClose } from '../domain/daily-close.ts';
import { rulesOf } from '../domain/instrument.ts';
import { fromEpochDay, toEpochDay } from '../domain/plain-date.ts';
import type { EpochDay, PlainDate } from '../domain/plain-date.ts';
import { isSamePrice } from '../domain/same-price.ts';
import { SessionCalendar } from '../domain/session-calendar.ts';
import type { Ticker } from '../domain/ticker.ts';
import type { Universe } from '../domain/universe.ts';
import type { Pause } from '../feeds/feed-type.ts';
import { FeedFault } from '../feeds/feed.ts';
import type { HistorySource } from '../feeds/history-source.ts';
import type { Clock } from '../lib/clock.ts';
import type { ActionStore } from '../store/action-store.ts';
import type { DayRange, HistoryReader, HistoryWriter } from '../store/history-store.ts';
import { FetchedActions } from './fetched-actions.ts';
import type { LackingDays } from './lacking-days.ts';
import { retryPauseMs } from './retry-pause.ts';

/** How long after its close a session is requested, in milliseconds. Before, its bar may change. */
export const barSettleMs = 30 * 60_000;

/** Maximum number of attempts for one instrument, when the source is unavailable or limits requests. */
const attemptsMax = 3;

/** A source that asks for a longer pause is left for a later run, in milliseconds. */
const pauseMsMax = 5 * 60_000;

/** A source that does not serve this many instruments in a row is left for a later run. */
const failedInARowMax = 5;

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
export interface HistoryFetchDependencies {
  /** In the order of the configuration: the first source that has a close is the one that is used. */
  readonly sources: readonly HistorySource[];
  readonly history: HistoryReader & HistoryWriter;
  readonly actions: Pick<ActionStore, 'readAll' | 'apply'>;
  readonly universe: Universe;
  readonly clock: Clock;
  /** Returns numbers from 0 up to but not including 1. */
  readonly random: () => number;
  readonly pause: Pause;
  readonly lacking: LackingDays;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: HistoryFetchProgress) => void;
}

/** The progress, reported before each request and before each pause after a fault. */
export interface HistoryFetchProgress {
  readonly source: string;
  readonly ticker: Ticker;
  /** Number of instruments of the source that are done, and that are to be looked at. */
  readonly done: number;
  readonly total: number;
  /** The number of closes that the source has added so far. */
  readonly added: number;
  /** The pause before the next attempt, in milliseconds, and its cause. */
  readonly waiting?: { readonly ms: number; readonly cause: string };
}

/** A close of a source that differs from the stored one. The stored one is kept. */
interface DifferentClose {
  readonly ticker: Ticker;
  readonly day: EpochDay;
  readonly stored: number;
  readonly fetched: number;
}

/** What one source gave. */
export interface SourceFetch {
  readonly source: string;
  readonly requests: number;
  readonly added: number;
  /** Instruments that have a new close. */
  readonly instruments: number;
  /** Rows that are no close, and closes of days without a session. */
  readonly rejected: number;
  readonly different: readonly DifferentClose[];
  /** The number of corporate actions that the source has added. */
  readonly actions: number;
  /** Actions that the stored closes contradict. They are not stored. */
  readonly contradicted: readonly CorporateAction[];
  /** Instruments that the source did not serve, with the message of the fault. */
  readonly failed: readonly { readonly ticker: Ticker; readonly message: string }[];
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
  /** Instruments that were asked for by name and that no source has. */
  readonly notOffered: readonly Ticker[];
  readonly wasAborted: boolean;
}

/**
 * Fills the history of instruments from sources. Only session days without a stored close are fetched,
 * and a stored close is never changed. So a close of the service's own session, and one that an
 * operator has imported, have priority over all sources, and an earlier source over a later one.
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
  readonly #from: EpochDay;
  readonly #dependencies: Pick<HistoryFetchDependencies, 'history' | 'universe' | 'clock'>;
  readonly #sessions = new Map<string, readonly EpochDay[]>();

  constructor(
    from: PlainDate,
    dependencies: Pick<HistoryFetchDependencies, 'history' | 'universe' | 'clock'>,
  ) {
    this.#from = toEpochDay(from);
    this.#dependencies = dependencies;
  }

  /** The session days up to the last one whose bar is final, ascending. */
  sessionsOf(ticker: Ticker): readonly EpochDay[] {
    const { universe, clock } = this.#dependencies;
    const market = universe.marketOf(universe.get(ticker));
    const known = this.#sessions.get(market.code);
    if (known !== undefined) return known;
    const calendar = new SessionCalendar(market);
    const now = clock.now();
    let last = calendar.sessionAt(now);
    if (now < calendar.closesAt(last) + barSettleMs) last = calendar.previousSession(last);
    const sessions: EpochDay[] = [];
    for (let day = this.#from; day <= toEpochDay(last); day = (day + 1) as EpochDay) {
      if (calendar.isSessionDay(day)) sessions.push(day);
    }
    this.#sessions.set(market.code, sessions);
    return sessions;
  }

  /** The session days without a stored close, ascending, and the first day with one. */
  async unstored(
    ticker: Ticker,
  ): Promise<{ readonly days: readonly EpochDay[]; readonly first: EpochDay | undefined }> {
    const sessions = this.sessionsOf(ticker);
    const range = rangeOf(sessions);
    if (range === undefined) return { days: [], first: undefined };
    const series = await this.#dependencies.history.readSeries(ticker, range);
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

/** Thrown when a source is left for a later run. */
class SourceStop extends Error {}

/** The requests of one fetch to one source. */
class SourceRun {
  readonly #source: HistorySource;
  readonly #request: HistoryFetchRequest;
  readonly #days: FetchedDays;
  readonly #fetchedActions: FetchedActions;
  readonly #dependencies: HistoryFetchDependencies;
  readonly #different: DifferentClose[] = [];
  readonly #failed: { readonly ticker: Ticker; readonly message: string }[] = [];
  #requests = 0;
  #added = 0;
  #instruments = 0;
  #rejected = 0;
  #actions = 0;
  readonly #contradicted: CorporateAction[] = [];
  #failedInARow = 0;
  #requestedAt = Number.NEGATIVE_INFINITY;

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
  }

  async run(): Promise<SourceFetch> {
    const { tickers } = this.#request;
    const wanted = this.#source.instruments.filter((one) => tickers?.has(one) ?? true);
    let stopped: string | undefined;
    try {
      for (const [done, ticker] of wanted.entries()) {
        await this.#fill(ticker, { done, total: wanted.length });
      }
    } catch (error) {
      if (error instanceof SourceStop) stopped = error.message;
      else if (!this.#dependencies.signal.aborted) throw error;
    }
    return {
      source: this.#source.name,
      requests: this.#requests,
      added: this.#added,
      instruments: this.#instruments,
      rejected: this.#rejected,
      different: this.#different,
      actions: this.#actions,
      contradicted: this.#contradicted,
      failed: this.#failed,
      ...(stopped === undefined ? {} : { stopped }),
    };
  }

  async #fill(
    ticker: Ticker,
    place: { readonly done: number; readonly total: number },
  ): Promise<void> {
    const { lacking, signal } = this.#dependencies;
    signal.throwIfAborted();
    const { days: unstored } = await this.#days.unstored(ticker);
    const known = lacking.daysOf(this.#source.name, ticker);
    const wanted = unstored.filter((day) => !known.has(day));
    const range = rangeOf(wanted);
    if (range === undefined) return;
    if (this.#requests >= (this.#request.requestsMax ?? Infinity)) {
      throw new SourceStop(`the maximum of ${this.#requests} requests for one run is reached`);
    }
    const batch = await this.#fetch(ticker, range, place);
    if (batch === undefined) return;
    const sessions = this.#days.sessionsOf(ticker);
    const { closes, outside } = onSessions(batch.closes, sessions);
    this.#rejected += batch.rejected.length + outside;
    const { hasVolume } = rulesOf(this.#dependencies.universe.get(ticker));
    await this.#store(
      ticker,
      hasVolume ? closes : closes.map((close) => ({ ...close, volume: null })),
    );
    await this.#storeActions(batch.actions ?? []);
    const sent = new Set(closes.map(({ day }) => day));
    const days = wanted.filter((day) => !sent.has(day));
    lacking.note(this.#source.name, ticker, { days, sessions });
  }

  /** Undefined when the source does not serve the instrument. */
  async #fetch(
    ticker: Ticker,
    { from, to }: DayRange,
    place: { readonly done: number; readonly total: number },
  ): Promise<Awaited<ReturnType<HistorySource['fetch']>> | undefined> {
    const { signal, random, pause, onProgress } = this.#dependencies;
    const progress = { source: this.#source.name, ticker, ...place };
    for (let attempts = 1; ; attempts += 1) {
      await this.#waitForTurn();
      onProgress?.({ ...progress, added: this.#added });
      try {
        const range = { from: fromEpochDay(from), to: fromEpochDay(to) };
        const batch = await this.#source.fetch({ ticker, ...range }, signal);
        this.#failedInARow = 0;
        return batch;
      } catch (fault) {
        if (signal.aborted || !(fault instanceof FeedFault)) throw fault;
        const { code, message } = fault;
        if (code === 'refused' || code === 'untrusted') throw new SourceStop(message);
        if (code === 'invalid-request' || code === 'unintelligible') {
          this.#fail(ticker, message);
          return undefined;
        }
        const ms = retryPauseMs(fault, attempts, random);
        if (attempts >= attemptsMax || ms > pauseMsMax) {
          const wait = fault.retryAfterMs === undefined ? '' : `; it asks to wait ${minutes(ms)}`;
          throw new SourceStop(`${message}${wait}`);
        }
        onProgress?.({ ...progress, added: this.#added, waiting: { ms, cause: message } });
        await pause(ms, signal);
      }
    }
  }

  /** Waits until the spacing since the last request has passed. */
  async #waitForTurn(): Promise<void> {
    const { clock, pause, signal } = this.#dependencies;
    const leftMs = this.#requestedAt + this.#source.spacingMs - clock.monotonic();
    if (leftMs > 0) await pause(leftMs, signal);
    this.#requestedAt = clock.monotonic();
    this.#requests += 1;
  }

  #fail(ticker: Ticker, message: string): void {
    this.#failed.push({ ticker, message });
    this.#failedInARow += 1;
    if (this.#failedInARow >= failedInARowMax) {
      throw new SourceStop(
        `${failedInARowMax} instruments in a row failed, the last with: ${message}`,
      );
    }
  }

  /** After the closes, which may contradict an action. */
  async #storeActions(actions: readonly CorporateAction[]): Promise<void> {
    const { added, contradicted } = await this.#fetchedActions.add(actions);
    this.#actions += added;
    this.#contradicted.push(...contradicted);
  }

  /** Adds the closes of the days that have none. */
  async #store(ticker: Ticker, closes: readonly DailyClose[]): Promise<void> {
    const range = rangeOf(closes.map(({ day }) => day));
    if (range === undefined) return;
    const { history } = this.#dependencies;
    const added = await history.transaction(async (transaction) => {
      const stored = await transaction.read(ticker, range);
      const byDay = new Map(stored.map((close) => [close.day, close.close]));
      const missing = closes.filter(({ day }) => !byDay.has(day));
      await transaction.put(ticker, missing);
      for (const { day, close } of closes) {
        const before = byDay.get(day);
        if (before === undefined || isSamePrice(before, close)) continue;
        this.#different.push({ ticker, day, stored: before, fetched: close });
      }
      return missing.length;
    });
    this.#added += added;
    if (added > 0) this.#instruments += 1;
  }
}

/**
 * The closes of session days, and the number of closes that are within the range of the sessions on a
 * day without one.
 */
function onSessions(
  all: readonly DailyClose[],
  sessions: readonly EpochDay[],
): { readonly closes: readonly DailyClose[]; readonly outside: number } {
  const range = rangeOf(sessions);
  if (range === undefined) throw new Error('a fetch needs session days');
  const days = new Set(sessions);
  const within = all.filter(({ day }) => day >= range.from && day <= range.to);
  const closes = within.filter(({ day }) => days.has(day));
  return { closes, outside: within.length - closes.length };
}

/** The range of ascending days. Undefined for none. */
function rangeOf(days: readonly EpochDay[]): DayRange | undefined {
  const [from, to] = [days[0], days.at(-1)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

function minutes(ms: number): string {
  return `${Math.ceil(ms / 60_000)} minutes`;
}
