import { parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Parsed, Problem, Refused } from '../../domain/values/problem.ts';
import { foldTicker } from '../../domain/instruments/ticker.ts';
import type { QueryValues } from './query-text.ts';

/** A range of days. Both are included. `from` is not after `to`. */
export interface Days {
  readonly from: PlainDate;
  readonly to: PlainDate;
}

/** One ticker and a range of days, as in a request. */
export interface TickerRange extends Days {
  /** The ticker as the client spelled it, with white space folded; not empty. */
  readonly ticker: string;
}

/** A range of days, either of which may be left to the service. If both are given, `from` is not after `to`. */
export interface OpenDays {
  readonly from: PlainDate | undefined;
  readonly to: PlainDate | undefined;
}

/** One ticker and a range of days that may be left to the service. */
export interface OpenTickerRange extends OpenDays, Omit<TickerRange, 'from' | 'to'> {}

/** The values of the parameters of a range of days of one ticker. */
type RangeValues = QueryValues<'especie' | 'desde' | 'hasta'>;

/**
 * Parses the parameters of a range of days of one ticker, all of which are required (contract 4.2.1 and
 * 2.5.2).
 *
 * @param path of the request, for the text of a problem
 */
export function parseRange(values: RangeValues, path: string): Parsed<TickerRange> {
  const range = parseOpenRange(values, path);
  if (!range.ok) return range;
  const days = bothDays(range.value, path);
  return days.ok ? { ok: true, value: { ticker: range.value.ticker, ...days.value } } : days;
}

/** Parses the days of a range, both of which are required (contract 4.2.1). */
export function parseDays(
  values: Pick<RangeValues, 'desde' | 'hasta'>,
  path: string,
): Parsed<Days> {
  const days = parseOpenDays(values);
  return days.ok ? bothDays(days.value, path) : days;
}

function bothDays({ from, to }: OpenDays, path: string): Parsed<Days> {
  if (from === undefined) return wrong({ type: 'parameter-missing', parameter: 'desde', path });
  if (to === undefined) return wrong({ type: 'parameter-missing', parameter: 'hasta', path });
  return { ok: true, value: { from, to } };
}

/** As {@link parseRange}, where only the ticker is required. */
export function parseOpenRange(values: RangeValues, path: string): Parsed<OpenTickerRange> {
  const ticker = single('especie', values.especie);
  if (!ticker.ok) return ticker;
  if (ticker.value === undefined) {
    return wrong({ type: 'parameter-missing', parameter: 'especie', path });
  }
  if (ticker.value.includes(',')) {
    return wrong({
      type: 'ticker-not-single',
      parameter: 'especie',
      value: ticker.value,
      path,
    });
  }
  const days = parseOpenDays(values);
  return days.ok ? { ok: true, value: { ticker: foldTicker(ticker.value), ...days.value } } : days;
}

/** Parses the days of a range, both of which are optional. */
export function parseOpenDays(values: Pick<RangeValues, 'desde' | 'hasta'>): Parsed<OpenDays> {
  const from = date('desde', values.desde);
  if (!from.ok) return from;
  const to = date('hasta', values.hasta);
  if (!to.ok) return to;
  const range = { from: from.value, to: to.value };
  if (range.from !== undefined && range.to !== undefined && range.from > range.to) {
    return wrong({ type: 'range-reversed', from: range.from, to: range.to });
  }
  return { ok: true, value: range };
}

/** The only value of a parameter. An empty value counts as missing. */
function single(parameter: string, values: readonly string[]): Parsed<string | undefined> {
  const [value = ''] = values;
  if (values.length > 1) return wrong({ type: 'parameter-repeated', parameter });
  return { ok: true, value: value.trim() === '' ? undefined : value };
}

function date(parameter: string, values: readonly string[]): Parsed<PlainDate | undefined> {
  const text = single(parameter, values);
  if (!text.ok) return text;
  if (text.value === undefined) return { ok: true, value: undefined };
  const value = parsePlainDate(text.value);
  if (value === undefined) return wrong({ type: 'date-malformed', parameter, value: text.value });
  return { ok: true, value };
}

function wrong(problem: Problem): Refused {
  return { ok: false, problem };
}
