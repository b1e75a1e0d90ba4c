import type { FindFacts } from '../market/sort-rows.ts';
import type { Row } from '../market/live-quotes.ts';
import type { ColumnField } from '../market/columns.ts';
import { instrumentColumns, isInstrumentField } from '../market/facts/instrument-columns.ts';
import type { ExportTable } from '../ui/csv.ts';

/**
 * The rows on a board as a table, with the names of the contract where it has one. Numbers are not rounded.
 * The date is beside the time, because the board shows only one of them.
 *
 * @param factsOf finds the values that are no fields of a quote.
 */
export function exportTable(
  rows: readonly Row[],
  columns: readonly ColumnField[],
  factsOf: FindFacts,
): ExportTable {
  const fields = columns.flatMap((field) => {
    if (field === 'rueda') return [];
    return field === 'hora' ? (['fecha', 'hora'] as const) : [field];
  });
  const valueOf = ({ ticker, quote }: Row, field: (typeof fields)[number]) =>
    isInstrumentField(field)
      ? instrumentColumns[field].value({ quote, ...factsOf(ticker) })
      : quote?.[field];
  return {
    fields: ['especie', ...fields],
    rows: rows.map((row) => [row.ticker, ...fields.map((field) => valueOf(row, field) ?? null)]),
  };
}
