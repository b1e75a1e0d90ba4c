import type { Adjustment } from '../../domain/history/adjust-series.ts';
import type { BarSeries } from '../../domain/history/daily-close.ts';
import { instantName } from '../texts/instant-texts.ts';

/** The adjustments by the value of `ajuste` (contract 4.2.5). */
export const adjustments = {
  ninguno: 'none',
  splits: 'splits',
  total: 'total',
} as const satisfies Readonly<Record<string, Adjustment>>;

/** The public names of the other prices of a session, in the order of a row. */
const priceNames = {
  opens: 'apertura',
  highs: 'maximo',
  lows: 'minimo',
} as const satisfies Partial<Record<keyof BarSeries, string>>;

/** The public names of the columns that `campos` adds, in the order of a row (contract 4.2.8). */
export const fieldNames = { ...priceNames, instant: instantName } as const;

/** A column that a row of `/historicos` shows on request. */
export type HistoryField = keyof typeof fieldNames;

/** All of them, in the order of a row. */
export const historyFields = Object.keys(fieldNames) as readonly HistoryField[];

/**
 * The columns of which a wide table shows one, by the value of `campo`, the default first (contract 4.2.12).
 */
export const cellNames = {
  closes: 'ultimo',
  ...priceNames,
  volumes: 'volumen',
} as const satisfies Partial<Record<keyof BarSeries, string>>;

/** A column that the cells of a wide table show. */
export type CellField = keyof typeof cellNames;

/** What a request of `/historicos` asks for besides the ticker and the range. */
export interface HistoryView {
  readonly adjustment: Adjustment;
  /** In the order of {@link historyFields}. */
  readonly fields: readonly HistoryField[];
}

/** What a request without `ajuste` and `campos` asks for. */
export const plainView: HistoryView = { adjustment: 'none', fields: [] };
