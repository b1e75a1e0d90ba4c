import {
  barsJson,
  history,
  requestedBars,
  secondsPerDay,
  type ChartBars,
} from '../../contract/paths/udf/history.ts';
import { marksJson, timescaleMarks } from '../../contract/paths/udf/marks.ts';
import { tickerIn, udfError } from '../../contract/paths/udf/parts.ts';
import { quotes, quotesJson } from '../../contract/paths/udf/quotes.ts';
import {
  config,
  configJson,
  foundSymbolsJson,
  search,
  symbolJson,
  symbols,
  time,
  udfTypes,
  unknownSymbolJson,
} from '../../contract/paths/udf/symbols.ts';
import type { Operation } from '../../contract/operation.ts';
import { wholeText } from '../../contract/table.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { extrasOf } from '../../domain/quotes/quote-extra.ts';
import { refused } from '../../domain/values/problem.ts';
import type { ErrorResponse } from '../../wire/texts/error-texts.ts';
import {
  answers,
  whenRead,
  type RowsOrProblem,
  type Answering,
  type AnsweringRoute,
  type ResponseSource,
} from '../answers/answers.ts';
import { decodedPath } from '../handler/request.ts';
import type { InstrumentSearch } from '../../domain/instruments/instrument-search.ts';
import { charts, type ChartsParts } from './charts.ts';

/** The paths below `/udf`, which the adapter of TradingView's charting library requests (contract 4.15). */
export function udfPaths(
  parts: Omit<ChartsParts, 'memory'> & {
    readonly search: InstrumentSearch;
    /** Maximum number of bars in a response. */
    readonly rowsMax: number;
  },
  answering: Answering,
): readonly AnsweringRoute[] {
  const { board, actions, rowsMax } = parts;
  const { universe } = board;
  const { memory } = answering;
  const calendars = new MarketCalendars(universe);
  const chartOf = charts({ ...parts, memory });
  const latest = board.latestFor(extrasOf(['bid', 'ask']));
  const used = new Set(universe.instruments.map(({ market }) => market));
  const markets = [...universe.markets.values()].filter(({ code }) => used.has(code));
  const unknown = made(() => unknownSymbolJson);

  const second = (): number => Math.floor(memory.clock.now() / 1000);

  /** What answers a query about a symbol. */
  const about = (
    sent: string,
    open: (instrument: Instrument) => ResponseSource,
    otherwise = unknown,
  ): ResponseSource => {
    const instrument = universe.find(tickerIn(sent));
    return instrument === undefined ? otherwise : open(instrument);
  };

  function route<Query>(
    operation: Operation<Query>,
    open: (query: Query) => ResponseSource,
  ): AnsweringRoute {
    return answers(operation, open, answering, { opensToUrlKeys: true });
  }

  return [
    route(config, () => made(() => configJson(markets))),
    route(time, () => madeOf([second], () => String(second()))),
    route(symbols, ({ symbol }) =>
      about(symbol, (instrument) => {
        const calendar = calendars.of(instrument);
        const today = () => calendar.dateAt(memory.clock.now());
        const delayMinutes = () => board.quote(instrument)?.source?.delayMinutes;
        return madeOf([today, delayMinutes], () =>
          symbolJson(instrument, { calendar, today: today(), delayMinutes: delayMinutes() }),
        );
      }),
    ),
    route(search, ({ text, limit, type, exchange }) =>
      made(() => {
        const among = universe.instruments.filter(
          ({ kind, market }) =>
            (type === '' || udfTypes[kind] === type) && (exchange === '' || market === exchange),
        );
        if (text === undefined) return foundSymbolsJson([]);
        return foundSymbolsJson(
          text === '' ? among.slice(0, limit) : parts.search.find(text, { among, max: limit }),
        );
      }),
    ),
    route(history, ({ symbol, interval, range }) =>
      about(symbol, (instrument) => {
        const chart = chartOf(instrument, interval);
        const answer = (bars: ChartBars): RowsOrProblem => {
          const requested = requestedBars(bars, range);
          const count = requested.end - requested.first;
          if (count > rowsMax) return refused({ type: 'rows-too-many', count, max: rowsMax });
          const rows = wholeText(() => barsJson(instrument, bars, requested));
          return { rows, isRange: true };
        };
        return { madeOf: () => chart.madeOf(), answer: () => whenRead(chart.bars(), answer) };
      }),
    ),
    route(quotes, ({ symbols: names }) => {
      const named = names.map((name) => {
        const instrument = universe.find(tickerIn(name));
        return { name, instrument, quote: () => instrument && latest.quote(instrument) };
      });
      return madeOf(
        named.map(({ quote }) => quote),
        () => quotesJson(named.map((one) => ({ ...one, quote: one.quote() }))),
      );
    }),
    route(timescaleMarks, ({ symbol, from, to }) =>
      about(
        symbol,
        (instrument) =>
          madeOf([actions], () => {
            const shown = actions()
              .of(instrument.ticker)
              .filter(({ exDay }) => exDay * secondsPerDay >= from && exDay * secondsPerDay <= to);
            return marksJson(instrument, shown);
          }),
        made(() => '[]'),
      ),
    ),
  ];
}

/** Answers with a text that is made of what the universe is made of. */
function made(text: () => string): ResponseSource {
  return madeOf([], text);
}

/** Answers with a text that is made of some values. */
function madeOf(values: readonly (() => unknown)[], text: () => string): ResponseSource {
  return {
    madeOf: () => values.map((value) => value()),
    answer: () => ({ rows: wholeText(text) }),
  };
}

/** Gives each error the form of its path (contract 4.15.1), whatever refuses the request. */
export function udfErrors(basePath: string): (path: string, error: ErrorResponse) => ErrorResponse {
  const root = `${basePath}/udf`;
  return (path, error) => {
    const decoded = decodedPath(path);
    return decoded === root || decoded.startsWith(`${root}/`) ? udfError(error) : error;
  };
}
