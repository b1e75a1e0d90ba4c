import { firstOf } from '../../lib/text/first-of.ts';
import { printable } from '../../lib/text/printable.ts';

/** The file names of a universe. */
export const universeFiles = {
  instruments: 'instruments.csv',
  markets: 'markets.yaml',
  panels: 'panels.yaml',
  derived: 'derived.yaml',
  bonds: 'bonds.csv',
} as const;

/** The text of a file, with its name for faults. */
export interface FileText {
  readonly file: string;
  readonly text: string;
}

/** A fault in a universe file: where it is, the text at fault, and what would be valid. */
export interface UniverseFault {
  /** The file name, or the path of the universe's directory when that is missing. */
  readonly file: string;
  /** Line number from 1; 0 for the file as a whole. */
  readonly line: number;
  /** From 1: the character in a YAML file, the cell in a CSV file. 0 for a whole line. */
  readonly column: number;
  /** The text at fault, as in the file; empty when something is missing. */
  readonly value: string;
  /** For the operator: what is wrong, and what to do or what would be valid. */
  readonly message: string;
}

/** The fault of a file as a whole, or from a line on. */
export function fileFault(file: string, message: string, line = 0): UniverseFault {
  return { file, line, column: 0, value: '', message };
}

/**
 * Decodes a file strictly, so that no character is silently replaced. Spreadsheets write a byte
 * order mark and mixed line endings: the mark is removed, and every line ends with a newline.
 *
 * @returns undefined after a fault, when the file is not UTF-8.
 */
export function decodeText(
  file: string,
  bytes: Uint8Array,
  faults: UniverseFault[],
): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.replaceAll(/\r\n?/g, '\n');
  } catch {
    const before = new TextDecoder('utf-8').decode(bytes).split('\uFFFD', 1)[0] ?? '';
    const message =
      'the file is not UTF-8 from here on; save it as UTF-8 (in Excel, "CSV UTF-8 (delimited by commas)")';
    faults.push(fileFault(file, message, before.split(/\r\n?|\n/).length));
    return undefined;
  }
}

/** The fault of a date. */
export const noDate = 'not a valid date; use YYYY-MM-DD and a day that exists';

/** A text with its position in a file, for faults that are found only with other files. */
export interface Located {
  readonly value: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Lists values for a message. After the first 30 values, only the number of the others is given.
 */
export function listed(values: Iterable<string>): string {
  const all = [...values];
  return all.length === 0 ? 'none' : firstOf(all, listedMax);
}

const listedMax = 30;

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
