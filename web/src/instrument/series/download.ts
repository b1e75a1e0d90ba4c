import type { HistoryRow, IntradayRow } from '../../market/api/quote.ts';
import { saveFile } from '../../ui/save-file.ts';

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

/** Downloads rows as a file: CSV (RFC 4180) with the fields that they have, or JSON as in the contract. */
export async function downloadRows(
  rows: readonly TableRow[],
  { name, format }: { readonly name: string; readonly format: 'csv' | 'json' },
): Promise<void> {
  const isCsv = format === 'csv';
  const text = isCsv ? await csvText(rows) : JSON.stringify(rows, undefined, 1);
  const type = isCsv ? 'text/csv;charset=utf-8' : 'application/json';
  saveFile(text, { name, extension: format, type });
}

async function csvText(rows: readonly TableRow[]): Promise<string> {
  const { unparse } = (await import('papaparse')).default;
  const columns = fields.filter((field) => rows.some((row) => field in row));
  return `${unparse([...rows], { columns })}\r\n`;
}
