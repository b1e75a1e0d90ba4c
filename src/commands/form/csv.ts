import Papa from 'papaparse';

/** Lines of CSV (RFC 4180), each with its line end. */
export function csvLines(lines: readonly (readonly string[])[]): string {
  return `${Papa.unparse(lines as string[][], { newline: '\r\n' })}\r\n`;
}
