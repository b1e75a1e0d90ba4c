import { barIntervals } from '../../domain/quotes/bar-interval.ts';
import type { BarInterval } from '../../domain/quotes/bar-interval.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { parseChoice } from './choice-param.ts';
import { readQuery } from './query-text.ts';
import { parseOpenRange, rangeParameters } from './range-params.ts';
import type { OpenTickerRange } from './range-params.ts';

/** A request of `/intradiarios`. An absent day is that of the last session of the instrument. */
export interface BarQuery extends OpenTickerRange {
  readonly interval: BarInterval;
}

const defaultInterval: BarInterval = 5;

/** The names of the intervals in the contract. */
const intervalNames = barIntervals.map((minutes) => `${minutes}m` as const);

/** Parses the query of `/intradiarios` (contract 4.9.1). */
export function parseBarParams(rawQuery: string): Parsed<BarQuery> {
  const query = readQuery(rawQuery, [...rangeParameters, 'intervalo']);
  if (!query.ok) return query;
  const range = parseOpenRange(query.value, '/intradiarios');
  if (!range.ok) return range;
  const interval = parseInterval('intervalo', query.value.intervalo);
  if (!interval.ok) return interval;
  return { ok: true, value: { ...range.value, interval: interval.value ?? defaultInterval } };
}

/** Parses a parameter with the name of an interval: undefined if it was not sent. */
export function parseInterval(
  parameter: string,
  values: readonly string[],
): Parsed<BarInterval | undefined> {
  const name = parseChoice(parameter, values, intervalNames);
  if (!name.ok) return name;
  return { ok: true, value: barIntervals.find((minutes) => `${minutes}m` === name.value) };
}
