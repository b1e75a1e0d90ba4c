import { indexNames } from '../../../domain/indices/index-name.ts';
import type { IndexName } from '../../../domain/indices/index-name.ts';
import type { Parsed } from '../../../domain/values/problem.ts';
import { parseChoice } from '../choice-param.ts';
import { readQuery } from '../query-text.ts';
import { parseOpenDays, parseOpenRange, rangeParameters } from '../range-params.ts';
import type { OpenDays, OpenTickerRange } from '../range-params.ts';

/** What a request for changes asks for: those of an instrument, or of an index. */
export type ChangeQuery = OpenTickerRange | (OpenDays & { readonly index: IndexName });

const path = '/cambios';

/** The parameters of `/cambios`. */
export const changeParameters = [...rangeParameters, 'indice'] as const;

/** Parses the query of `/cambios` (contract 4.19.1). */
export function parseChangeParams(rawQuery: string): Parsed<ChangeQuery> {
  const query = readQuery(rawQuery, changeParameters);
  if (!query.ok) return query;
  const { especie, indice } = query.value;
  const isOfInstrument = especie.some((text) => text.trim() !== '');
  if (isOfInstrument === indice.length > 0) {
    return { ok: false, problem: { type: 'subject-not-single', path } };
  }
  if (isOfInstrument) return parseOpenRange(query.value, path);
  const index = parseChoice('indice', indice, indexNames);
  if (!index.ok) return index;
  if (index.value === undefined) throw new Error('the parameter was sent');
  const days = parseOpenDays(query.value);
  return days.ok ? { ok: true, value: { index: index.value, ...days.value } } : days;
}
