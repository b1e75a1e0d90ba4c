import { barIntervals, type BarInterval } from '../../domain/quotes/bar-interval.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { instantName } from '../texts/instant-texts.ts';
import { parseChoice } from './choice-param.ts';
import { parseFields } from './fields-param.ts';
import { readQuery } from './query-text.ts';
import { parseOpenRange, rangeParameters, type OpenTickerRange } from './range-params.ts';

/** A request of `/intradiarios`. An absent day is that of the last session of the instrument. */
export interface BarQuery extends OpenTickerRange {
  readonly interval: BarInterval;
  /** Whether the client requested the instant of each bar. */
  readonly withInstant: boolean;
}

/** The public names of the fields on request (contract 4.9.6). */
const barFieldNames = { instant: instantName } as const;

const defaultInterval: BarInterval = 5;

/** The names of the intervals in the contract. */
const intervalNames = barIntervals.map((minutes) => `${minutes}m` as const);

/** The parameters of `/intradiarios`. */
export const barParameters = [...rangeParameters, 'intervalo', 'campos'] as const;

/** Parses the query of `/intradiarios` (contract 4.9.1 and 4.9.6). */
export function parseBarParams(rawQuery: string): Parsed<BarQuery> {
  const query = readQuery(rawQuery, barParameters);
  if (!query.ok) return query;
  const range = parseOpenRange(query.value, '/intradiarios');
  if (!range.ok) return range;
  const interval = parseInterval('intervalo', query.value.intervalo);
  if (!interval.ok) return interval;
  const fields = parseFields(query.value.campos, barFieldNames);
  if (!fields.ok) return fields;
  const withInstant = fields.value.includes('instant');
  return {
    ok: true,
    value: { ...range.value, interval: interval.value ?? defaultInterval, withInstant },
  };
}

/** Parses a parameter with the name of an interval: undefined if it was not sent. */
function parseInterval(
  parameter: string,
  values: readonly string[],
): Parsed<BarInterval | undefined> {
  const name = parseChoice(parameter, values, intervalNames);
  if (!name.ok) return name;
  return { ok: true, value: barIntervals.find((minutes) => `${minutes}m` === name.value) };
}
