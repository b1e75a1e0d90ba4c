import { addDays, toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { FeedFault, reject } from '../contract/feed.ts';
import type {
  HistoryBatch,
  HistoryRequest,
  HistorySource,
  IndexSource,
} from '../contract/history-source.ts';
import { selectForHistory } from '../contract/select-instruments.ts';
import { readJson, type FetchedBody } from '../net/read-body.ts';
import { type Origin, type OriginParams, askOrigin, restMs } from './ask-origin.ts';
import { mapEventos, mapHistoricos, mapIndices } from './origin-rows.ts';
import type { PizarraConfig } from './ask-origin.ts';

/** The minimum time from one instrument to the next, in milliseconds. Most of them need no request. */
const originSpacingMs = 0;

/** Number of instruments of the first request, and the maximum. A request may have 500 tickers. */
const tickersAtFirst = 50;
const tickersMax = 400;

/** A request that returns fewer rows than this is followed by a larger one. The origin permits 100,000 rows. */
const rowsWanted = 15_000;

/** Maximum length of the tickers of a request, percent-encoded: a request line may have 16 KiB. */
const tickersLengthMax = 6_000;

/** Closes of further instruments are used for this long, in milliseconds. Then they are read again. */
const aheadMsMax = 10 * 60_000;

/** The list of the instruments of the origin is read again after this time, in milliseconds. */
const listMsMax = 60 * 60_000;

/** The days around a range that are read too, because the sessions of other markets begin and end on other days. */
const daysAround = 7;

const msPerDay = 86_400_000;

/** The latest days to come of which an index may have a value, from today. */
const daysToComeMax = 400;

/** The maximum number of corporate actions of an instrument. All of them are in memory. */
const actionsMax = 1_000;

/** The corporate actions of all days are read: a new one adjusts all closes before it. */
const allDays = { desde: '1900-01-01', hasta: '2199-12-31' };

/** The daily closes and the corporate actions of the Pizarra that is followed. */
export function createOriginHistory(config: PizarraConfig, deps: FeedDeps): HistorySource {
  const { universe } = deps;
  const all = universe.instruments.map(({ ticker }) => ticker);
  const instruments = [...selectForHistory(all, { universe, config })];
  const history = new OriginHistory(config, deps, instruments);
  return {
    name: config.name,
    instruments,
    spacingMs: originSpacingMs,
    isCopy: true,
    fetch: (request, signal) => history.fetch(request, signal),
  };
}

/** The values of the indices that the followed Pizarra stores, days to come included. */
export function createOriginIndices(config: PizarraConfig, deps: FeedDeps): IndexSource {
  const origin = new OriginReader(askOrigin(config, deps), deps);
  return {
    name: config.name,
    indices: indexNames,
    spacingMs: originSpacingMs,
    isCopy: true,
    async fetch({ index, from, to }, signal) {
      const params = { indice: index, desde: from, ...(to !== undefined && { hasta: to }) };
      const body = await origin.real('/indices', params, signal);
      // All values are in memory, so those of days that no index has yet are left out.
      const first = toEpochDay(from);
      const last = Math.floor(deps.clock.now() / msPerDay) + daysToComeMax;
      const values = mapIndices(readJson(body)).filter(({ day }) => day >= first && day <= last);
      return { values, rejected: [] };
    },
  };
}

/** What was read together with that of another instrument. */
interface Ahead {
  readonly from: PlainDate;
  readonly to: PlainDate;
  readonly closes: readonly DailyClose[];
  readonly actions: readonly CorporateAction[];
}

/**
 * Reads instruments one a call, as the caller asks. They are requested together: a request for one instrument
 * also reads those that follow it, which the caller is likely to ask for next. The number of instruments in
 * a request adapts to the number of rows.
 */
class OriginHistory {
  readonly #name: string;
  readonly #deps: FeedDeps;
  readonly #origin: OriginReader;
  readonly #instruments: readonly Ticker[];
  #tickersPerRequest = tickersAtFirst;
  #ahead = new Map<Ticker, Ahead>();
  /** On the monotonic clock, in milliseconds. */
  #aheadAt = 0;
  #offered: { readonly tickers: ReadonlyMap<Ticker, string>; readonly at: number } | undefined;

  constructor(config: PizarraConfig, deps: FeedDeps, instruments: readonly Ticker[]) {
    this.#name = config.name;
    this.#deps = deps;
    this.#origin = new OriginReader(askOrigin(config, deps), deps);
    this.#instruments = instruments;
  }

  async fetch(request: HistoryRequest, signal: AbortSignal): Promise<HistoryBatch> {
    const { ticker } = request;
    const offered = await this.#offeredTickers(signal);
    if (!offered.has(ticker)) {
      return { closes: [], rejected: [reject('not-offered', ticker, ticker)] };
    }
    if (!this.#isAhead(request)) await this.#readAhead(request, offered, signal);
    const { closes = [], actions = [] } = this.#ahead.get(ticker) ?? {};
    this.#ahead.delete(ticker);
    return { closes, rejected: [], actions };
  }

  /** The instruments that both have, by their ticker here, with the ticker of the origin. */
  async #offeredTickers(signal: AbortSignal): Promise<ReadonlyMap<Ticker, string>> {
    const now = this.#deps.clock.monotonic();
    if (this.#offered !== undefined && now - this.#offered.at < listMsMax) {
      return this.#offered.tickers;
    }
    const { text } = await this.#origin.real('/especies.txt', {}, signal);
    const { universe } = this.#deps;
    const tickers = new Map(
      text.split('\n').flatMap((spelling) => {
        const instrument = universe.find(spelling);
        return instrument === undefined ? [] : [[instrument.ticker, spelling] as const];
      }),
    );
    this.#offered = { tickers, at: now };
    return tickers;
  }

  #isAhead({ ticker, from, to }: HistoryRequest): boolean {
    const ahead = this.#ahead.get(ticker);
    const isRecent = this.#deps.clock.monotonic() - this.#aheadAt < aheadMsMax;
    return ahead !== undefined && isRecent && ahead.from <= from && ahead.to >= to;
  }

  /** Reads an instrument, and those after it. */
  async #readAhead(
    request: HistoryRequest,
    offered: ReadonlyMap<Ticker, string>,
    signal: AbortSignal,
  ): Promise<void> {
    const from = addDays(request.from, -daysAround);
    const to = addDays(request.to, daysAround);
    for (;;) {
      const tickers = this.#tickersFrom(request.ticker, {
        offered,
        most: this.#mostTickers(from, to),
      });
      const spellings = tickers.map((ticker) => offered.get(ticker) ?? ticker);
      try {
        const closes = mapHistoricos(
          await this.#origin.json('/historicos', historyParams(spellings, from, to), signal),
        );
        const actions = await this.#readActions(spellings, signal);
        this.#resize([...closes.values()].reduce((sum, { length }) => sum + length, 0));
        this.#aheadAt = this.#deps.clock.monotonic();
        // The actions of an earlier ticker that was not asked for are given with the first instrument.
        const named = new Set(tickers);
        this.#ahead = new Map(
          tickers.map((ticker, at) => {
            const own = actions.filter(
              (one) => one.ticker === ticker || (at === 0 && !named.has(one.ticker)),
            );
            if (own.length > actionsMax) {
              const count = `${own.length} corporate actions of ${ticker}`;
              throw new FeedFault(
                'unintelligible',
                `the origin has ${count}, which no instrument has`,
              );
            }
            return [
              ticker,
              { from, to, closes: within(closes.get(spellings[at] ?? ''), from, to), actions: own },
            ];
          }),
        );
        return;
      } catch (fault) {
        // More rows or tickers than the origin permits, or one that knows no request for several.
        if (!isRefused(fault) || tickers.length === 1) throw fault;
        this.#tickersPerRequest = Math.max(1, Math.floor(tickers.length / 4));
      }
    }
  }

  #resize(rows: number): void {
    if (rows < rowsWanted / 2) {
      this.#tickersPerRequest = Math.min(tickersMax, this.#tickersPerRequest * 2);
    } else if (rows > rowsWanted * 2) {
      this.#tickersPerRequest = Math.max(1, Math.floor(this.#tickersPerRequest / 2));
    }
  }

  /** A request for more days than the last one is not sent for as many instruments. */
  #mostTickers(from: PlainDate, to: PlainDate): number {
    const days = toEpochDay(to) - toEpochDay(from);
    const most = Math.max(tickersAtFirst, Math.floor((rowsWanted * 2) / days));
    return Math.min(this.#tickersPerRequest, most);
  }

  /** An instrument and those after it that the origin has, as many as one request may have. */
  #tickersFrom(
    ticker: Ticker,
    { offered, most }: { readonly offered: ReadonlyMap<Ticker, string>; readonly most: number },
  ): readonly Ticker[] {
    const start = Math.max(0, this.#instruments.indexOf(ticker));
    const tickers = [ticker];
    let length = encodedLength(offered.get(ticker) ?? '');
    for (const next of this.#instruments.slice(start + 1)) {
      const spelling = offered.get(next);
      if (spelling === undefined) continue;
      length += encodedLength(spelling);
      if (tickers.length >= most || length > tickersLengthMax) break;
      tickers.push(next);
    }
    return tickers;
  }

  async #readActions(
    spellings: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly CorporateAction[]> {
    const { universe } = this.#deps;
    const params = { especie: spellings.join(','), ...allDays, ...formOf(spellings) };
    return mapEventos(await this.#origin.json('/eventos', params, signal), {
      source: this.#name,
      tickerOf: (text) => universe.find(text)?.ticker ?? (text as Ticker),
    });
  }
}

function historyParams(spellings: readonly string[], from: PlainDate, to: PlainDate): OriginParams {
  return {
    especie: spellings.join(','),
    desde: from,
    hasta: to,
    campos: 'apertura,maximo,minimo',
    ...formOf(spellings),
  };
}

/** An older origin has no `forma`, and answers a request for one ticker without it. */
function formOf(spellings: readonly string[]): OriginParams {
  return spellings.length > 1 ? { forma: 'larga' } : {};
}

function within(
  closes: readonly DailyClose[] = [],
  from: PlainDate,
  to: PlainDate,
): readonly DailyClose[] {
  const [first, last] = [toEpochDay(from), toEpochDay(to)];
  return closes.filter(({ day }) => day >= first && day <= last);
}

function encodedLength(spelling: string): number {
  return encodeURIComponent(spelling).length + 3;
}

function isRefused(fault: unknown): boolean {
  return fault instanceof FeedFault && fault.code === 'invalid-request';
}

/** Reads paths of an origin one after the other, within the plan of the key. */
class OriginReader {
  readonly #origin: Origin;
  readonly #deps: Pick<FeedDeps, 'clock' | 'pause'>;
  /** No request is sent before this time on the monotonic clock, in milliseconds. */
  #restUntil = 0;

  constructor(origin: Origin, deps: Pick<FeedDeps, 'clock' | 'pause'>) {
    this.#origin = origin;
    this.#deps = deps;
  }

  /** The value of a JSON body. @throws FeedFault */
  async json(path: string, params: OriginParams, signal: AbortSignal): Promise<unknown> {
    const fetched = await this.#read(path, params, 'ratelimit', signal);
    this.#restUntil = this.#deps.clock.monotonic() + restMs(fetched.header);
    return readJson(fetched);
  }

  /**
   * A body of an origin whose prices are real.
   *
   * @throws FeedFault `refused` for a demonstration (contract 4.5.9).
   */
  async real(path: string, params: OriginParams, signal: AbortSignal): Promise<FetchedBody> {
    const fetched = await this.#read(path, params, 'data-source', signal);
    if (fetched.header === undefined) return fetched;
    const message = 'the origin is a demonstration: made-up and real prices never mix';
    throw new FeedFault('refused', message);
  }

  async #read(path: string, params: OriginParams, wantedHeader: string, signal: AbortSignal) {
    const { clock, pause } = this.#deps;
    const leftMs = this.#restUntil - clock.monotonic();
    if (leftMs > 0) await pause(leftMs, signal);
    const fetched = await this.#origin.read({ path, params, wantedHeader }, signal);
    if (!fetched.isUnchanged) return fetched;
    throw new FeedFault('unintelligible', `${path} responded 304 to a request without a condition`);
  }
}
