import type { Parsed } from '../../domain/values/problem.ts';
import { readQuery } from './query-text.ts';
import { parseRange, rangeParameters } from './range-params.ts';
import type { TickerRange } from './range-params.ts';

/** Parses the query of `/eventos` (contract 4.8.1). */
export function parseEventParams(rawQuery: string): Parsed<TickerRange> {
  const query = readQuery(rawQuery, rangeParameters);
  return query.ok ? parseRange(query.value, '/eventos') : query;
}
