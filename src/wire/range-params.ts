import { parsePlainDate } from '../domain/plain-date.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import type { Parsed, Problem } from '../domain/problem.ts';
import { foldTicker } from '../domain/ticker.ts';
import type { QueryValues } from './query-text.ts';

/** One ticker and a range of days, as in a request. */
export interface TickerRange {
  /** The ticker as the client spelled it, with white space folded; not empty. */
  readonly ticker: string;
  /** Both days are included. `from` is not after `to`. */
  readonly from: PlainDate;
  readonly to: PlainDate;
}

/** The parameters of a range of days of one ticker. All three are required. */
export const rangeParameters = ['especie', 'desde', 'hasta'] as const;

/**
 * Parses the parameters of a range of days of one ticker (contract 4.2.1 and 2.5.2).
 *
 * @param path of the request, for the text of a problem
 */
export function parseRange(
  values: QueryValues<(typeof rangeParameters)[number]>,
  path: string,
): Parsed<TickerRange> {
  const ticker = single('especie', values.especie);
  if (!ticker.ok) return ticker;
  if (ticker.value.includes(',')) {
    return wrong({ type: 'ticker-not-single', value: ticker.value, path });
  }
  const from = date('desde', values.desde);
  if (!from.ok) return from;
  const to = date('hasta', values.hasta);
  if (!to.ok) return to;
  if (from.value > to.value) {
    return wrong({ type: 'range-reversed', from: from.value, to: to.value });
  }
  const value = { ticker: foldTicker(ticker.value), from: from.value, to: to.value };
  return { ok: true, value };
}

/** The only value of a parameter. An empty value counts as missing. */
function single(parameter: string, values: readonly string[]): Parsed<string> {
  const [value = ''] = values;
  if (values.length > 1) return wrong({ type: 'parameter-repeated', parameter });
  if (value.trim() === '') return wrong({ type: 'parameter-missing', parameter });
  return { ok: true, value };
}

function date(parameter: string, values: readonly string[]): Parsed<PlainDate> {
  const text = single(parameter, values);
  if (!text.ok) return text;
  const value = parsePlainDate(text.value);
  if (value === undefined) return wrong({ type: 'date-malformed', parameter, value: text.value });
  return { ok: true, value };
}

function wrong(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem };
}
