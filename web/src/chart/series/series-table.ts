import type { HistoryRow, IntradayRow } from '../../market/api/quote.ts';
import type { ExportTable } from '../../ui/csv.ts';

/** A row of a table of the contract. */
export type TableRow = HistoryRow | IntradayRow;

/** The fields of both tables. The order is that of `/intradiarios`. */
const fields = [
  'especie',
  'fecha',
  'hora',
  'apertura',
  'maximo',
  'minimo',
  'ultimo',
  'volumen',
] as const;

/** The rows of a chart as a table to export, with the fields that they have. */
export function seriesTable(rows: readonly TableRow[]): ExportTable {
  const columns = fields.filter((field) => rows.some((row) => field in row));
  return {
    fields: columns,
    rows: rows.map((row) => {
      const values: Partial<Record<string, string | number | null>> = { ...row };
      return columns.map((field) => values[field] ?? null);
    }),
  };
}
