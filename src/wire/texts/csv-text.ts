import { startsFormula } from '../../lib/text/formula-start.ts';

/** The media type of every CSV response. `header=present` announces the header row (RFC 4180 3). */
export const csvType = 'text/csv; charset=utf-8; header=present';

/**
 * The styles of CSV: `csv` has decimal points and commas between the fields; `csv-comma` has decimal
 * commas and semicolons, as spreadsheets in Spanish read and write (contract 4.5.7).
 */
export type CsvStyle = 'csv' | 'csv-comma';

/** The end of every CSV line, the last one included (RFC 4180 2). */
const lineEnd = '\r\n';

interface Separators {
  readonly field: string;
  readonly decimal: string;
  /** Finds a character that a cell may have only in quotes. */
  readonly special: RegExp;
}

const separators: Readonly<Record<CsvStyle, Separators>> = {
  csv: { field: ',', decimal: '.', special: /[",\r\n]/ },
  'csv-comma': { field: ';', decimal: ',', special: /[";\r\n]/ },
};

/** Formats the cells of a column: {@link textColumn} or {@link numberColumn}. */
export type CsvColumn = (cell: string, by: Separators) => string;

/** Most texts, such as tickers and dates: they need neither quotes nor an apostrophe. */
const plainText = /^[A-Za-z\d][\w .:-]*$/;

/** A column of texts. One that a spreadsheet would run as a formula gets an apostrophe before it. */
export const textColumn: CsvColumn = (text, { special }) => {
  if (plainText.test(text)) return text;
  const safe = startsFormula(text) ? `'${text}` : text;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A column of numbers, each a text of digits with a point for the decimals. */
export const numberColumn: CsvColumn = (digits, { decimal }) => digits.replace('.', decimal);

/** The columns of a table, which formats its lines of CSV (RFC 4180 2) in both styles. */
export class CsvTable {
  readonly #names: readonly string[];
  readonly #columns: readonly CsvColumn[];

  /** @param columns by the name of each field, in order. Names that may be numbers are given as entries. */
  constructor(columns: Readonly<Record<string, CsvColumn>> | ReadonlyMap<string, CsvColumn>) {
    const entries = columns instanceof Map ? [...columns] : Object.entries(columns);
    this.#names = entries.map(([name]) => name);
    this.#columns = entries.map(([, column]) => column);
  }

  /** The line with the names of the fields. */
  header(style: CsvStyle): string {
    const by = separators[style];
    return this.#names.map((name) => textColumn(name, by)).join(by.field) + lineEnd;
  }

  /** The line of a row. Absent values and null are empty cells. */
  line(cells: readonly (string | null | undefined)[], style: CsvStyle): string {
    const by = separators[style];
    const texts = this.#columns.map((column, at) => column(cells[at] ?? '', by));
    return texts.join(by.field) + lineEnd;
  }
}

/** Two lines as one, the cells of the second after those of the first. */
export function joinLines(first: string, second: string | undefined, style: CsvStyle): string {
  if (second === undefined) return first;
  return first.slice(0, -lineEnd.length) + separators[style].field + second;
}
