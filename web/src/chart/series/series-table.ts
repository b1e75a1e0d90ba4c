import type { ExportTable } from '../../ui/csv.ts';
import type { TableRow } from '../figures/exported-rows.ts';

/** The fields of all rows. The order is that of `/intradiarios`; what the page computes follows. */
const fields = [
  'especie',
  'fecha',
  'hora',
  'apertura',
  'maximo',
  'minimo',
  'ultimo',
  'volumen',
  'cociente',
  'conversion',
  'dolar',
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
