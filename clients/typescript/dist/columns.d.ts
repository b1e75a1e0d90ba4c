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
export declare function historyColumns(rows: readonly PrecioHistorico[]): HistoryColumns;
//# sourceMappingURL=columns.d.ts.map