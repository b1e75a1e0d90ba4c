import type { Parsed } from '../../domain/values/problem.ts';
import { parseChoice } from './choice-param.ts';
import { parseSelection } from './quote-params.ts';
import type { Selection } from '../../domain/instruments/selection.ts';
import { parseKnownAt } from './known-param.ts';
import type { MaybeKnownAt } from './known-param.ts';
import { readQuery } from './query-text.ts';
import type { QueryValues } from './query-text.ts';
import { parseDays, parseRange, rangeParameters } from './range-params.ts';
import type { Days, TickerRange } from './range-params.ts';

/** A request of `/eventos` for one instrument. */
interface SingleEvents extends TickerRange, MaybeKnownAt {}

/** A request of `/eventos` with `forma`: the actions of several instruments. */
export interface JoinedEvents extends Days, MaybeKnownAt {
  readonly selection: Selection;
}

/** A request of `/eventos`. */
export type EventQuery = SingleEvents | JoinedEvents;

const path = '/eventos';

/** The parameters of `/eventos`. */
export const eventParameters = [...rangeParameters, 'forma', 'conocido'] as const;

/**
 * Parses the query of `/eventos` (contract 4.8.1, 4.8.5 and 4.18.1).
 *
 * @param tickersMax maximum number of tickers in one request with `forma`
 */
export function parseEventParams(rawQuery: string, tickersMax: number): Parsed<EventQuery> {
  const query = readQuery(rawQuery, eventParameters);
  if (!query.ok) return query;
  const { value } = query;
  const events =
    value.forma.length === 0 ? parseRange(value, path) : parseJoined(value, tickersMax);
  if (!events.ok) return events;
  const known = parseKnownAt(value);
  return known.ok ? { ok: true, value: { ...events.value, ...known.value } } : known;
}

function parseJoined(
  value: QueryValues<(typeof eventParameters)[number]>,
  tickersMax: number,
): Parsed<JoinedEvents> {
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
