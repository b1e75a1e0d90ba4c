import type { Quote } from '../market/api/quote.ts';
import type { Row } from '../market/live-quotes.ts';
import type { ColumnField } from '../market/columns.ts';
import type { ExportTable } from '../ui/csv.ts';

/**
 * The rows on a board as a table, with the names of the contract. Numbers are not rounded. The date
 * is beside the time, because the board shows only one of them.
 */
export function exportTable(rows: readonly Row[], columns: readonly ColumnField[]): ExportTable {
  const fields = columns.flatMap((field): readonly (keyof Quote)[] => {
    if (field === 'rueda') return [];
    return field === 'hora' ? ['fecha', 'hora'] : [field];
  });
  return {
    fields: ['especie', ...fields],
    rows: rows.map(({ ticker, quote }) => [
      ticker,
      ...fields.map((field) => quote?.[field] ?? null),
    ]),
  };
}
