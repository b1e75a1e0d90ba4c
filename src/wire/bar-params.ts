import { barIntervals } from '../domain/bar-interval.ts';
import type { BarInterval } from '../domain/bar-interval.ts';
import { parsePlainDate } from '../domain/plain-date.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import type { Parsed, Problem } from '../domain/problem.ts';
import { foldTicker } from '../domain/ticker.ts';
import { parseChoice } from './choice-param.ts';
import { parseOptional, readQuery } from './query-text.ts';

/** A request of `/intradiarios`. */
export interface BarQuery {
  /** The ticker as the client spelled it, with white space folded; not empty. */
  readonly ticker: string;
  /** Both days are included. An absent one is the last session of the instrument. */
  readonly from: PlainDate | undefined;
  readonly to: PlainDate | undefined;
  readonly interval: BarInterval;
}

const defaultInterval: BarInterval = 5;

/** The names of the intervals in the contract. */
const intervalNames = barIntervals.map((minutes) => `${minutes}m` as const);

/** Parses the query of `/intradiarios` (contract 4.9.1). */
export function parseBarParams(rawQuery: string): Parsed<BarQuery> {
  const query = readQuery(rawQuery, ['especie', 'desde', 'hasta', 'intervalo']);
  if (!query.ok) return query;
  const ticker = tickerOf(query.value.especie);
  if (!ticker.ok) return ticker;
  const from = optionalDate('desde', query.value.desde);
  if (!from.ok) return from;
  const to = optionalDate('hasta', query.value.hasta);
  if (!to.ok) return to;
  const [first, last] = [from.value, to.value];
  if (first !== undefined && last !== undefined && first > last) {
    return wrong({ type: 'range-reversed', from: first, to: last });
  }
  const interval = parseInterval('intervalo', query.value.intervalo);
  if (!interval.ok) return interval;
  const value = { from: first, to: last, interval: interval.value ?? defaultInterval };
  return { ok: true, value: { ticker: ticker.value, ...value } };
}

/** Parses `barras` of the stream: undefined for a stream without bars (contract 4.9.5). */
export function parseStreamBars(rawQuery: string): Parsed<BarInterval | undefined> {
  const query = readQuery(rawQuery, ['barras']);
  return query.ok ? parseInterval('barras', query.value.barras) : query;
}

function parseInterval(
  parameter: string,
  values: readonly string[],
): Parsed<BarInterval | undefined> {
  const name = parseChoice(parameter, values, intervalNames);
  if (!name.ok) return name;
  return { ok: true, value: barIntervals.find((minutes) => `${minutes}m` === name.value) };
}

function tickerOf(values: readonly string[]): Parsed<string> {
  const sent = parseOptional('especie', values);
  if (!sent.ok) return sent;
  const ticker = foldTicker(sent.value ?? '');
  if (ticker === '') return wrong({ type: 'ticker-missing' });
  if (!ticker.includes(',')) return { ok: true, value: ticker };
  return wrong({ type: 'ticker-not-single', value: ticker, path: '/intradiarios' });
}

function optionalDate(parameter: string, values: readonly string[]): Parsed<PlainDate | undefined> {
  const sent = parseOptional(parameter, values);
  if (!sent.ok || sent.value === undefined) return sent as Parsed<undefined>;
  const value = parsePlainDate(sent.value);
  if (value !== undefined) return { ok: true, value };
  return wrong({ type: 'date-malformed', parameter, value: sent.value });
}

function wrong(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem };
}
