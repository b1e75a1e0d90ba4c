import type { Adjustment } from '../domain/adjust-series.ts';
import type { BarSeries } from '../domain/daily-close.ts';

/** The adjustments by the value of `ajuste` (contract 4.2.5). */
export const adjustments: ReadonlyMap<string, Adjustment> = new Map([
  ['ninguno', 'none'],
  ['splits', 'splits'],
  ['total', 'total'],
]);

/** The columns of the values of `campos`, in the order of the fields of a row (contract 4.2.8). */
const columns = { apertura: 'opens', maximo: 'highs', minimo: 'lows' } as const satisfies Record<
  string,
  keyof BarSeries
>;

/** A field that a row of `/historicos` has on request. */
export type HistoryField = keyof typeof columns;

/** The fields by their names, in the order of a row. */
export const historyFields: ReadonlyMap<string, HistoryField> = new Map(
  (Object.keys(columns) as HistoryField[]).map((field) => [field, field]),
);

/** The column of a field. */
export function columnOf(field: HistoryField): (typeof columns)[HistoryField] {
  return columns[field];
}

/** What a request of `/historicos` asks for besides the ticker and the range. */
export interface HistoryView {
  readonly adjustment: Adjustment;
  /** In the order of {@link historyFields}. */
  readonly fields: readonly HistoryField[];
}

/** What a request without `ajuste` and `campos` asks for. */
export const plainView: HistoryView = { adjustment: 'none', fields: [] };
