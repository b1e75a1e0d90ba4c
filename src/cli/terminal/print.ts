import { printable, printableLines } from '../../lib/printable.ts';

/**
 * Writes text to standard output. All commands write through this, so that no escape sequence from
 * outside reaches a terminal. JSON remains the same JSON.
 */
export function print(text: string): void {
  process.stdout.write(printableLines(text));
}

/** As {@link print}, to standard error. */
export function printError(text: string): void {
  process.stderr.write(printableLines(text));
}

/** As {@link print}, for CSV: the line ends stay. */
export function printCsv(text: string): void {
  process.stdout.write(text.split('\r\n').map(printable).join('\r\n'));
}
