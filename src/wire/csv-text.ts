/** The media type of every CSV response. `header=present` announces the header row (RFC 4180 3). */
export const csvType = 'text/csv; charset=utf-8; header=present';

/** The end of every CSV line, the last one included (RFC 4180 2). */
export const lineEnd = '\r\n';

/** Formats a line of CSV (RFC 4180 2). Absent values and null are empty cells. */
export function csvLine(cells: readonly (string | null | undefined)[]): string {
  return cells.map((cell) => csvCell(cell ?? '')).join(',') + lineEnd;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
