import type { Parsed } from '../domain/problem.ts';
import { parseChoice, parseChoices } from './choice-params.ts';
import { adjustments, historyFields } from './history-view.ts';
import type { HistoryView } from './history-view.ts';
import { readQuery } from './query-text.ts';
import { parseRange, rangeParameters } from './range-params.ts';
import type { TickerRange } from './range-params.ts';

/** A request of `/historicos`. */
export type HistoryQuery = TickerRange & HistoryView;

/** Parses the query of `/historicos` (contract 4.2.1, 4.2.5 and 4.2.8). */
export function parseHistoryParams(rawQuery: string): Parsed<HistoryQuery> {
  const query = readQuery(rawQuery, [...rangeParameters, 'ajuste', 'campos']);
  if (!query.ok) return query;
  const range = parseRange(query.value, '/historicos');
  if (!range.ok) return range;
  const adjustment = parseChoice('ajuste', query.value.ajuste, adjustments);
  if (!adjustment.ok) return adjustment;
  const fields = parseChoices('campos', query.value.campos, historyFields);
  if (!fields.ok) return fields;
  const view = { adjustment: adjustment.value ?? 'none', fields: fields.value } as const;
  return { ok: true, value: { ...range.value, ...view } };
}
