import type { Quote } from '../market/api/quote.ts';
import type { Row } from '../market/live-quotes.ts';
import type { ColumnField } from '../market/columns.ts';

/** The form of the numbers of a CSV: `decimal` of the contract. */
export type DecimalMark = 'punto' | 'coma';

/** A table to export: the names of the fields, and the values of each row. */
export interface ExportTable {
  readonly fields: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

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

/** Text that a spreadsheet would run as a formula. A number is none. */
const formula = /^(?:[=@\t\r]|[+-](?!\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$))/i;

/**
 * A table as CSV (RFC 4180), in the form of the API (contract 4.5.3, 4.5.7): with decimal commas, the
 * fields are separated by semicolons.
 */
export async function csvOf({ fields, rows }: ExportTable, decimal: DecimalMark): Promise<string> {
  const { unparse } = (await import('papaparse')).default;
  const isComma = decimal === 'coma';
  const data = rows.map((row) =>
    row.map((value) =>
      isComma && typeof value === 'number' ? String(value).replace('.', ',') : value,
    ),
  );
  const options = { delimiter: isComma ? ';' : ',', escapeFormulae: formula };
  return `${unparse({ fields: [...fields], data }, options)}\r\n`;
}
