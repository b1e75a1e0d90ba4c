import type { Parsed } from '../domain/problem.ts';
import { parseOptional, readQuery } from './query-text.ts';

const yearShape = /^(?!0000)\d{4}$/;

/**
 * Parses the query of `/mercados`: the year of the holidays, four digits, or undefined for the current
 * one (contract 4.6.2).
 */
export function parseMarketParams(rawQuery: string): Parsed<string | undefined> {
  const query = readQuery(rawQuery, ['anio']);
  if (!query.ok) return query;
  const parameter = 'anio';
  const year = parseOptional(parameter, query.value.anio);
  if (!year.ok || year.value === undefined || yearShape.test(year.value)) return year;
  return { ok: false, problem: { type: 'year-malformed', parameter, value: year.value } };
}
