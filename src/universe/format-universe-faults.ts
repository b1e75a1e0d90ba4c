import { printable } from '../lib/text/printable.ts';
import type { UniverseFault } from './files/universe-fault.ts';

const shownValueCharsMax = 60;

/**
 * Formats faults for a terminal as compilers do: one per line, sorted by file and position, such as
 * `markets.yaml:12:5: "Mars/Olympus": …`. There is no final newline, and no text without faults.
 */
export function formatUniverseFaults(faults: readonly UniverseFault[]): string {
  return faults.toSorted(byPlace).map(formatFault).join('\n');
}

function byPlace(a: UniverseFault, b: UniverseFault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

function formatFault({ file, line, column, value, message }: UniverseFault): string {
  const place = [file, ...[line, column].filter((number) => number > 0)].join(':');
  return printable(
    value === '' ? `${place}: ${message}` : `${place}: ${quoted(value)}: ${message}`,
  );
}

/** A value of a file, truncated and quoted on one line. */
function quoted(value: string): string {
  const { length } = value;
  const shown = length > shownValueCharsMax ? `${value.slice(0, shownValueCharsMax)}…` : value;
  return JSON.stringify(shown);
}
