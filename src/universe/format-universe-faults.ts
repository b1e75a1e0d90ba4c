import { printable } from '../lib/printable.ts';
import type { UniverseFault } from './universe-fault.ts';

const shownValueCharsMax = 60;

/**
 * All faults as text for a terminal, one a line in the order of the files, as compilers write them:
 * `markets.yaml:12:5: "Mars/Olympus": …`. Without a final newline; empty when there are none.
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

/** On one line and of bounded length, whatever the file holds; control characters are escaped. */
function quoted(value: string): string {
  const { length } = value;
  const shown = length > shownValueCharsMax ? `${value.slice(0, shownValueCharsMax)}…` : value;
  return JSON.stringify(shown);
}
