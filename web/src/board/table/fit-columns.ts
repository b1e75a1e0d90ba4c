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
  /** Whether no instrument of the board has a value. */
  readonly isEmpty?: boolean;
}

/** Columns of which one says little without the other. They are left out together. */
const pairs: Partial<Record<ColumnField, ColumnField>> = { minimo: 'maximo', maximo: 'minimo' };

/**
 * The fields of the columns that do not fit beside each other: those without a value, then the least important
 * ones. Empty if all fit, and if so few would fit that the table scrolls instead.
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
    (a, b) =>
      Number(b.isEmpty ?? false) - Number(a.isEmpty ?? false) ||
      byImportance.indexOf(b.field) - byImportance.indexOf(a.field),
  );
  for (const { field } of candidates) {
    if (width <= available) break;
    const together = columns.filter((one) => one.field === field || one.field === pairs[field]);
    for (const one of together) {
      if (unfit.includes(one.field)) continue;
      width -= one.width;
      unfit.push(one.field);
    }
  }
  // A pair may have left more room than was needed.
  const restored = new Set<ColumnField>();
  for (const field of unfit.toReversed()) {
    const column = columns.find((one) => one.field === field);
    if (column === undefined || column.isEmpty === true || pairs[field] !== undefined) continue;
    if (width + column.width > available) continue;
    width += column.width;
    restored.add(field);
  }
  const left = unfit.filter((field) => !restored.has(field));
  const fitting = columns.length - left.length;
  return fitting < Math.min(fittingMin, columns.length) ? [] : left;
}
