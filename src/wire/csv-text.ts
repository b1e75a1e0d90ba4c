/** The media type of every CSV answer; that there is a header row is said as RFC 4180 3 wants. */
export const csvType = 'text/csv; charset=utf-8; header=present';

/** What ends a CSV line, the last one included (RFC 4180 2). */
const lineEnd = '\r\n';

/**
 * A line of CSV. Absent and null are an empty cell: CSV has no word for either.
 *
 * Source: RFC 4180 2.
 */
export function csvLine(cells: readonly (string | null | undefined)[]): string {
  return cells.map((cell) => csvCell(cell ?? '')).join(',') + lineEnd;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
