import type { Parsed } from '../../domain/values/problem.ts';
import { parseChoice } from './choice-param.ts';
import { parseFields } from './fields-param.ts';
import { adjustments, fieldNames, historyFields } from './history-view.ts';
import type { HistoryView } from './history-view.ts';
import { readQuery } from './query-text.ts';
import { parseRange, rangeParameters } from './range-params.ts';
import type { TickerRange } from './range-params.ts';

/** A request of `/historicos`. */
export type HistoryQuery = TickerRange & HistoryView;

const adjustmentNames = Object.keys(adjustments) as readonly (keyof typeof adjustments)[];

/** Parses the query of `/historicos` (contract 4.2.1, 4.2.5 and 4.2.8). */
export function parseHistoryParams(rawQuery: string): Parsed<HistoryQuery> {
  const query = readQuery(rawQuery, [...rangeParameters, 'ajuste', 'campos']);
  if (!query.ok) return query;
  const range = parseRange(query.value, '/historicos');
  if (!range.ok) return range;
  const adjustment = parseChoice('ajuste', query.value.ajuste, adjustmentNames);
  if (!adjustment.ok) return adjustment;
  const requested = parseFields(query.value.campos, fieldNames);
  if (!requested.ok) return requested;
  const view: HistoryView = {
    adjustment: adjustments[adjustment.value ?? 'ninguno'],
    fields: historyFields.filter((field) => requested.value.includes(field)),
  };
  return { ok: true, value: { ...range.value, ...view } };
}
