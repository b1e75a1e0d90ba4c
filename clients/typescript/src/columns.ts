import type { PrecioHistorico } from './contract.ts';

/**
 * A series as columns of equal length, for charts and computations. A value that is not known is NaN, and
 * so is every value of a field that the request did not name in `campos`.
 */
export interface HistoryColumns {
  readonly fecha: readonly string[];
  readonly ultimo: Float64Array;
  readonly apertura: Float64Array;
  readonly maximo: Float64Array;
  readonly minimo: Float64Array;
  readonly volumen: Float64Array;
}

/** Turns the rows of a series into columns. */
export function historyColumns(rows: readonly PrecioHistorico[]): HistoryColumns {
  return {
    fecha: rows.map(({ fecha }) => fecha),
    ultimo: column(rows, 'ultimo'),
    apertura: column(rows, 'apertura'),
    maximo: column(rows, 'maximo'),
    minimo: column(rows, 'minimo'),
    volumen: column(rows, 'volumen'),
  };
}

function column(
  rows: readonly PrecioHistorico[],
  field: 'ultimo' | 'apertura' | 'maximo' | 'minimo' | 'volumen',
): Float64Array {
  return Float64Array.from(rows, (row) => row[field] ?? Number.NaN);
}
