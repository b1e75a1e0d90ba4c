import papaparse from 'papaparse';

/** The form of the numbers of a CSV: `decimal` of the contract. */
export type DecimalMark = 'punto' | 'coma';

/** A table to export: the names of the fields, and the values of each row. */
export interface ExportTable {
  readonly fields: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Text that a spreadsheet would run as a formula. A number is none. */
const formula = /^(?:[=@\t\r]|[+-](?!\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$))/i;

/**
 * A table as CSV (RFC 4180), in the form of the API (contract 4.5.3, 4.5.7): with decimal commas, the
 * fields are separated by semicolons.
 */
export function csvOf({ fields, rows }: ExportTable, decimal: DecimalMark): string {
  const isComma = decimal === 'coma';
  const data = rows.map((row) =>
    row.map((value) =>
      isComma && typeof value === 'number' ? String(value).replace('.', ',') : value,
    ),
  );
  const options = { delimiter: isComma ? ';' : ',', escapeFormulae: formula };
  return `${papaparse.unparse({ fields: [...fields], data }, options)}\r\n`;
}
