import type { ColumnField } from '../../market/columns.ts';

/** The columns, the most important first. Those at the end are left out first where not all fit. */
const byImportance: readonly ColumnField[] = [
  'ultimo',
  'variacion',
  'rueda',
  'vencimiento',
  'tir',
  'durationModificada',
  'paridad',
  'hora',
  'compra',
  'venta',
  'implicito',
  'volumen',
  'minimo',
  'maximo',
  'anterior',
  'varYTD',
  'varMTD',
  'monto',
  'apertura',
  'ratio',
  'subyacente',
  'moneda',
  'precioPor',
  'cantCompra',
  'cantVenta',
  'operaciones',
  'fuente',
];

/** With fewer columns than this, a table is of no use: it has all of them, and scrolls. */
const fittingMin = 4;

/** A column with the least width that its texts need, in pixels. */
export interface MeasuredColumn {
  readonly field: ColumnField;
  readonly width: number;
}

/**
 * The fields of the columns that do not fit beside each other, the least important ones. Empty if all fit,
 * and if so few would fit that the table scrolls instead.
 *
 * @param available the width for all of them, in pixels.
 */
export function unfitFields(
  columns: readonly MeasuredColumn[],
  available: number,
): readonly ColumnField[] {
  let width = columns.reduce((sum, column) => sum + column.width, 0);
  const unfit: ColumnField[] = [];
  const candidates = columns.toSorted(
    (a, b) => byImportance.indexOf(b.field) - byImportance.indexOf(a.field),
  );
  for (const column of candidates) {
    if (width <= available) break;
    width -= column.width;
    unfit.push(column.field);
  }
  const fitting = columns.length - unfit.length;
  return fitting < Math.min(fittingMin, columns.length) ? [] : unfit;
}
