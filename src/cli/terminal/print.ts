import { printableLines } from '../../lib/printable.ts';

/**
 * Writes text to standard output: the one way of every command, so that nothing from outside reaches
 * a terminal as an escape sequence. JSON stays equal JSON.
 */
export function print(text: string): void {
  process.stdout.write(printableLines(text));
}

/** As {@link print}, to standard error. */
export function printError(text: string): void {
  process.stderr.write(printableLines(text));
}
