import type { Parsed } from '../../domain/values/problem.ts';
import { parseChoice } from './choice-param.ts';
import { parseSelection } from './quote-params.ts';
import type { Selection } from '../../domain/instruments/selection.ts';
import { readQuery } from './query-text.ts';
import { parseDays, parseRange, rangeParameters } from './range-params.ts';
import type { Days, TickerRange } from './range-params.ts';

/** A request of `/eventos` with `forma`: the actions of several instruments. */
export interface JoinedEvents extends Days {
  readonly selection: Selection;
}

const path = '/eventos';

/**
 * Parses the query of `/eventos` (contract 4.8.1 and 4.8.5).
 *
 * @param tickersMax maximum number of tickers in one request with `forma`
 */
export function parseEventParams(
  rawQuery: string,
  tickersMax: number,
): Parsed<TickerRange | JoinedEvents> {
  const query = readQuery(rawQuery, [...rangeParameters, 'forma']);
  if (!query.ok) return query;
  const { value } = query;
  if (value.forma.length === 0) return parseRange(value, path);
  const form = parseChoice('forma', value.forma, ['larga']);
  if (!form.ok) return form;
  if (value.especie.every((list) => list.trim() === '')) {
    return { ok: false, problem: { type: 'parameter-missing', parameter: 'especie', path } };
  }
  const selection = parseSelection(value.especie, [], tickersMax);
  if (!selection.ok) return selection;
  const days = parseDays(value, path);
  return days.ok ? { ok: true, value: { selection: selection.value, ...days.value } } : days;
}
