import { indexNames } from '../../../domain/indices/index-name.ts';
import type { IndexName } from '../../../domain/indices/index-name.ts';
import type { Parsed } from '../../../domain/values/problem.ts';
import { parseChoice } from '../choice-param.ts';
import { readQuery } from '../query-text.ts';
import { parseOpenDays } from '../range-params.ts';
import type { OpenDays } from '../range-params.ts';

/** What a request for indices asks for: the values of one, or the list of all when none is named. */
export type IndexQuery = { readonly index: undefined } | (OpenDays & { readonly index: IndexName });

/** The parameters of `/indices`. */
export const indexParameters = ['indice', 'desde', 'hasta'] as const;

/** Parses the query of `/indices` (contract 4.14.1 to 4.14.4). */
export function parseIndexParams(rawQuery: string): Parsed<IndexQuery> {
  const query = readQuery(rawQuery, indexParameters);
  if (!query.ok) return query;
  const index = parseChoice('indice', query.value.indice, indexNames);
  if (!index.ok) return index;
  if (index.value === undefined) return { ok: true, value: { index: undefined } };
  const days = parseOpenDays(query.value);
  return days.ok ? { ok: true, value: { index: index.value, ...days.value } } : days;
}
