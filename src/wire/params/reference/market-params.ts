import type { Parsed } from '../../../domain/values/problem.ts';
import { parseOptional, readQuery } from '../query-text.ts';

const yearShape = /^(?!0000)\d{4}$/;

/**
 * Parses the query of `/mercados`: the year of the holidays, four digits, or undefined for the current
 * one (contract 4.6.2).
 */
export function parseMarketParams(rawQuery: string): Parsed<string | undefined> {
  const parameter = 'anio';
  const query = readQuery(rawQuery, [parameter]);
  if (!query.ok) return query;
  return parseOptional(parameter, query.value.anio, (value) =>
    yearShape.test(value)
      ? { ok: true, value }
      : { ok: false, problem: { type: 'year-malformed', parameter, value } },
  );
}
