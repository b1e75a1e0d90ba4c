import { foldForSearch } from '../../domain/instruments/instrument-search.ts';
import { barIntervals, type BarInterval } from '../../domain/quotes/bar-interval.ts';
import type { Parsed, Problem } from '../../domain/values/problem.ts';
import { parseChoice } from '../params/choice-param.ts';
import { parseInteger } from '../params/integer-param.ts';
import { readQuery } from '../params/query-text.ts';
import { searchTextMax } from '../params/instrument-fields.ts';

/** The seconds that a date can have. A library that has no first date asks from long before 1970. */
const seconds = { min: -8_640_000_000_000, max: 8_640_000_000_000 };

/** The bounds of a number of bars, and of a number of found instruments. */
const countback = { min: 1, max: 20_000 };
const foundLimit = { min: 1, max: 50 };
const foundByDefault = 30;

/** The length of a bar: a day, or minutes within a session. */
export type ChartInterval = 'day' | BarInterval;

const intervals: Readonly<Record<string, ChartInterval>> = {
  ...Object.fromEntries(barIntervals.map((minutes) => [String(minutes), minutes])),
  D: 'day',
  '1D': 'day',
};

/** The names of the lengths of bars that the service has. */
const resolutions = [...barIntervals.map(String), 'D', '1D'];

/** A request of `/udf/history`. */
export interface ChartQuery {
  /** As the client sent it. */
  readonly symbol: string;
  readonly interval: ChartInterval;
  /** In seconds since 1970; `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  /** The number of bars before `to`, whatever `from`. */
  readonly countback: number | undefined;
}

/** The parameters of `/udf/history`. */
export const chartParameters = ['symbol', 'resolution', 'from', 'to', 'countback'] as const;

/** Parses the query of `/udf/history` (contract 4.15.7). */
export function parseChartParams(rawQuery: string): Parsed<ChartQuery> {
  const path = '/udf/history';
  const query = readQuery(rawQuery, chartParameters);
  if (!query.ok) return query;
  const { value } = query;
  const symbol = required('symbol', value.symbol, path);
  if (!symbol.ok) return symbol;
  const resolution = required('resolution', value.resolution, path);
  if (!resolution.ok) return resolution;
  const name = parseChoice('resolution', [resolution.value], resolutions);
  if (!name.ok) return name;
  const count = parseInteger('countback', value.countback, countback);
  if (!count.ok) return count;
  const to = parseSecond('to', value.to, path);
  if (!to.ok) return to;
  // With `countback` the start has no effect, so it need not be sent.
  const sent = count.value !== undefined && value.from.length === 0 ? ['0'] : value.from;
  const from = parseSecond('from', sent, path);
  if (!from.ok) return from;
  return {
    ok: true,
    value: {
      symbol: symbol.value,
      interval: intervals[name.value ?? ''] ?? 'day',
      from: from.value,
      to: to.value,
      countback: count.value,
    },
  };
}

/** A request of `/udf/timescale_marks`. */
export interface MarkQuery {
  readonly symbol: string;
  /** In seconds since 1970, both included. */
  readonly from: number;
  readonly to: number;
}

/** The parameters of `/udf/timescale_marks`. */
export const markParameters = ['symbol', 'from', 'to'] as const;

/** Parses the query of `/udf/timescale_marks` (contract 4.15.10). */
export function parseMarkParams(rawQuery: string): Parsed<MarkQuery> {
  const path = '/udf/timescale_marks';
  const query = readQuery(rawQuery, markParameters);
  if (!query.ok) return query;
  const symbol = required('symbol', query.value.symbol, path);
  if (!symbol.ok) return symbol;
  const from = parseSecond('from', query.value.from, path);
  if (!from.ok) return from;
  const to = parseSecond('to', query.value.to, path);
  if (!to.ok) return to;
  return { ok: true, value: { symbol: symbol.value, from: from.value, to: to.value } };
}

/** The parameters of `/udf/symbols`. */
export const symbolParameters = ['symbol'] as const;

/** Parses the query of `/udf/symbols` (contract 4.15.4). */
export function parseSymbol(rawQuery: string): Parsed<string> {
  const query = readQuery(rawQuery, symbolParameters);
  return query.ok ? required('symbol', query.value.symbol, '/udf/symbols') : query;
}

/** The parameters of `/udf/quotes`. */
export const symbolsParameters = ['symbols'] as const;

/**
 * Parses the query of `/udf/quotes` (contract 4.15.9). The response has an entry for each part of the list,
 * so an empty part stays.
 */
export function parseSymbols(rawQuery: string, symbolsMax: number): Parsed<readonly string[]> {
  const query = readQuery(rawQuery, symbolsParameters);
  if (!query.ok) return query;
  const list = required('symbols', query.value.symbols, '/udf/quotes');
  if (!list.ok) return list;
  const symbols = list.value.split(',');
  if (symbols.length <= symbolsMax) return { ok: true, value: symbols };
  const count = symbols.length;
  return wrong({ type: 'tickers-too-many', parameter: 'symbols', count, max: symbolsMax });
}

/** A request of `/udf/search`. */
export interface SymbolSearch {
  /** Folded. Empty for every instrument, undefined for a text that is too long to match any. */
  readonly text: string | undefined;
  readonly limit: number;
  /** The type in the library and the market to search in; empty for all. */
  readonly type: string;
  readonly exchange: string;
}

/** The parameters of `/udf/search`. */
export const symbolSearchParameters = ['query', 'limit', 'type', 'exchange'] as const;

/** Parses the query of `/udf/search` (contract 4.15.6). */
export function parseSymbolSearch(rawQuery: string): Parsed<SymbolSearch> {
  const query = readQuery(rawQuery, symbolSearchParameters);
  if (!query.ok) return query;
  const { value } = query;
  const limit = parseInteger('limit', value.limit, foundLimit);
  if (!limit.ok) return limit;
  const text = optional('query', value.query);
  if (!text.ok) return text;
  const type = optional('type', value.type);
  if (!type.ok) return type;
  const exchange = optional('exchange', value.exchange);
  if (!exchange.ok) return exchange;
  const isTooLong = text.value.length > searchTextMax;
  return {
    ok: true,
    value: {
      text: isTooLong ? undefined : foldForSearch(text.value),
      limit: limit.value ?? foundByDefault,
      type: type.value,
      exchange: exchange.value,
    },
  };
}

/** The only value of a parameter that has to be sent. An empty value counts as missing. */
function required(parameter: string, values: readonly string[], path: string): Parsed<string> {
  const text = optional(parameter, values);
  if (!text.ok || text.value.trim() !== '') return text;
  return wrong({ type: 'parameter-missing', parameter, path });
}

/** The only value of a parameter; empty when it was not sent. */
function optional(parameter: string, values: readonly string[]): Parsed<string> {
  if (values.length > 1) return wrong({ type: 'parameter-repeated', parameter });
  return { ok: true, value: values[0] ?? '' };
}

function parseSecond(parameter: string, values: readonly string[], path: string): Parsed<number> {
  const text = required(parameter, values, path);
  if (!text.ok) return text;
  const second = parseInteger(parameter, [text.value], seconds);
  if (!second.ok) return second;
  return { ok: true, value: second.value ?? 0 };
}

function wrong(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem };
}
