/** Rows of which an agent gets only a part, with a note that says so. */
export interface LimitedRows<T> {
  readonly filas: readonly T[];
  /** The number of rows that the service has for the request. */
  readonly total: number;
  /** Whether `filas` has fewer rows than `total`. */
  readonly truncado: boolean;
}

/** The first rows of a list, or the last ones of a series, so that a response fits into a conversation. */
export function limitRows<T>(
  rows: readonly T[],
  { max, keep }: { readonly max: number; readonly keep: 'first' | 'last' },
): LimitedRows<T> {
  const truncado = rows.length > max;
  const filas = keep === 'first' ? rows.slice(0, max) : rows.slice(-max);
  return { filas, total: rows.length, truncado };
}
