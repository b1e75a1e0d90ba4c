import { addDays, toEpochDay, type PlainDate, utcDayOf } from '../../domain/calendar/plain-date.ts';
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
import { selectForHistory, tickersOf } from '../contract/select-instruments.ts';
import { mapEventos, mapHistoricos, mapIndices } from './origin-rows.ts';
import { Origin, type PizarraConfig } from './origin.ts';

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

/** The latest days to come of which an index may have a value, from today. */
const daysToComeMax = 400;

/** The maximum number of corporate actions of an instrument. All of them are in memory. */
const actionsMax = 1_000;

/** The corporate actions of all days are read: a new one adjusts all closes before it. */
const allDays = { desde: '1900-01-01', hasta: '2199-12-31' };

/** The daily closes and the corporate actions of the Pizarra that is followed. */
export function createOriginHistory(config: PizarraConfig, deps: FeedDeps): HistorySource {
  return new OriginHistory(config, deps);
}

/** The values of the indices that the followed Pizarra stores, days to come included. */
export function createOriginIndices(config: PizarraConfig, deps: FeedDeps): IndexSource {
  const origin = new Origin(config, deps);
  return {
    name: config.name,
    indices: indexNames,
    spacingMs: originSpacingMs,
    isCopy: true,
    async fetch({ index, from, to }, signal) {
      const parameters = { indice: index, desde: from, ...(to !== undefined && { hasta: to }) };
      const sent = await origin.readRows(
        '/indices',
        (client, options) => client.index(parameters, options),
        mapIndices,
        signal,
      );
      // All values are in memory, so those of days that no index has yet are left out.
      const first = toEpochDay(from);
      const last = utcDayOf(deps.clock.now()) + daysToComeMax;
      const values = sent.filter(({ day }) => day >= first && day <= last);
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
class OriginHistory implements HistorySource {
  readonly name: string;
  readonly instruments: readonly Ticker[];
  readonly spacingMs = originSpacingMs;
  readonly isCopy = true;
  readonly #deps: FeedDeps;
  readonly #origin: Origin;
  #tickersPerRequest = tickersAtFirst;
  #ahead = new Map<Ticker, Ahead>();
  /** On the monotonic clock, in milliseconds. */
  #aheadAt = 0;
  #offered: { readonly tickers: ReadonlyMap<Ticker, string>; readonly at: number } | undefined;

  constructor(config: PizarraConfig, deps: FeedDeps) {
    const { universe } = deps;
    this.name = config.name;
    this.instruments = [...tickersOf(selectForHistory(() => true, { universe, config }))];
    this.#deps = deps;
    this.#origin = new Origin(config, deps);
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
    const listed = await this.#origin.readRows(
      '/especies.txt',
      (client, options) => client.tickers({}, options),
      (spellings) => spellings,
      signal,
    );
    const { universe } = this.#deps;
    const tickers = new Map(
      listed.flatMap((spelling) => {
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
        const closes = await this.#origin.readRows(
          '/historicos',
          (client, options) =>
            client.histories(
              {
                especie: spellings,
                desde: from,
                hasta: to,
                campos: ['apertura', 'maximo', 'minimo'],
              },
              options,
            ),
          mapHistoricos,
          signal,
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
    const start = Math.max(0, this.instruments.indexOf(ticker));
    const tickers = [ticker];
    let length = encodedLength(offered.get(ticker) ?? '');
    for (const next of this.instruments.slice(start + 1)) {
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
    const context = {
      source: this.name,
      tickerOf: (text: string) => universe.find(text)?.ticker ?? (text as Ticker),
    };
    return await this.#origin.readRows(
      '/eventos',
      (client, options) =>
        client.events({ especie: spellings.join(','), forma: 'larga', ...allDays }, options),
      (rows) => mapEventos(rows, context),
      signal,
    );
  }
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
