import type { HistoryRow } from '../api/quote.ts';

/** Downloads closes as a file: CSV (RFC 4180), or JSON as in the contract. */
export async function downloadRows(
  rows: readonly HistoryRow[],
  { name, format }: { readonly name: string; readonly format: 'csv' | 'json' },
): Promise<void> {
  const isCsv = format === 'csv';
  const text = isCsv ? await csvText(rows) : JSON.stringify(rows, undefined, 1);
  const type = isCsv ? 'text/csv;charset=utf-8' : 'application/json';
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name.replaceAll(/[^\w-]+/g, '-')}.${format}`;
  link.click();
  URL.revokeObjectURL(address);
}

async function csvText(rows: readonly HistoryRow[]): Promise<string> {
  const { unparse } = (await import('papaparse')).default;
  return `${unparse([...rows], { columns: ['especie', 'fecha', 'ultimo', 'volumen'] })}\r\n`;
}
