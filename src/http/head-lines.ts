import { STATUS_CODES } from 'node:http';

const statusLines = new Map<number, string>();

/** The first line of an answer. */
export function statusLine(status: number): string {
  const known = statusLines.get(status);
  if (known !== undefined) return known;
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  statusLines.set(status, line);
  return line;
}

/**
 * Names and values, in turn, as lines of a head. The text is made in one piece: one that is put together
 * by `+=` stays a tree of its parts, which every write of it would have to walk.
 */
export function headLines(headers: readonly string[]): string {
  if (headers.length === 0) return '';
  const lines: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    lines.push(`${headers[at]}: ${headers[at + 1]}\r\n`);
  }
  return lines.join('');
}
