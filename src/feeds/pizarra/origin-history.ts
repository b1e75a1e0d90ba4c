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

/** Maximum number of instruments of a request. An origin permits 500, unless it is set to permit fewer. */
const tickersMax = 400;

/** Maximum number of rows of a response: one for each instrument and day. The origin permits 100,000. */
const rowsMax = 60_000;

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

/** The history of an instrument that was read together with that of an earlier one. */
interface Ahead extends Omit<HistoryRequest, 'ticker'> {
  readonly closes: readonly DailyClose[];
  readonly actions: readonly CorporateAction[];
}

/**
 * Reads the history of one instrument per call. A request to the origin also reads the instruments that follow it in
 * the list, because the caller is likely to ask for them next.
 */
class OriginHistory implements HistorySource {
  readonly name: string;
  readonly instruments: readonly Ticker[];
  readonly spacingMs = originSpacingMs;
  readonly isCopy = true;
  readonly #deps: FeedDeps;
  readonly #origin: Origin;
  /** Maximum number of instruments of a request to this origin: {@link tickersMax}, or fewer after it refused so many. */
  #tickersMax = tickersMax;
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
    const most = Math.floor(rowsMax / (toEpochDay(to) - toEpochDay(from) + 1));
    const tickers = this.#tickersFrom(request.ticker, offered, Math.min(most, this.#tickersMax));
    try {
      await this.#readTogether(tickers, { from, to, offered }, signal);
    } catch (fault) {
      const isRefused = fault instanceof FeedFault && fault.code === 'invalid-request';
      if (!isRefused || tickers.length === 1) throw fault;
      this.#tickersMax = Math.ceil(tickers.length / 8);
      await this.#readAhead(request, offered, signal);
    }
  }

  async #readTogether(
    tickers: readonly Ticker[],
    {
      from,
      to,
      offered,
    }: Omit<HistoryRequest, 'ticker'> & { readonly offered: ReadonlyMap<Ticker, string> },
    signal: AbortSignal,
  ): Promise<void> {
    const spellings = tickers.map((ticker) => offered.get(ticker) ?? ticker);
    const range = { desde: from, hasta: to, campos: ['apertura', 'maximo', 'minimo'] } as const;
    const closes = await this.#origin.readRows(
      '/historicos',
      (client, options) => client.histories({ especie: spellings, ...range }, options),
      mapHistoricos,
      signal,
    );
    const actions = await this.#readActions(spellings, signal);
    this.#aheadAt = this.#deps.clock.monotonic();
    // Actions under a ticker that was not requested, such as an earlier one, belong to the first instrument.
    const named = new Set(tickers);
    this.#ahead = new Map(
      tickers.map((ticker, at) => {
        const own = actions.filter(
          (one) => one.ticker === ticker || (at === 0 && !named.has(one.ticker)),
        );
        if (own.length > actionsMax) {
          const message = `the origin has ${own.length} corporate actions of ${ticker}, which no instrument has`;
          throw new FeedFault('unintelligible', message);
        }
        const ownCloses = within(closes.get(spellings[at] ?? ''), from, to);
        return [ticker, { from, to, closes: ownCloses, actions: own }];
      }),
    );
  }

  /**
   * The instruments of the next request: this one and those after it that the origin has, up to the limits of a
   * request.
   */
  #tickersFrom(
    ticker: Ticker,
    offered: ReadonlyMap<Ticker, string>,
    most: number,
  ): readonly Ticker[] {
    const start = this.instruments.indexOf(ticker);
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
