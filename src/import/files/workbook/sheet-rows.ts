import { readXml } from './read-xml.ts';
import { ImportRefusal } from '../../refusals/import-refusal.ts';

/** Maximum number of cells of a sheet, with the empty ones before the last of each row. */
export const sheetCellsMax = 5_000_000;

/** Maximum number of characters of a row. */
const rowCharsMax = 1_048_576;

/** What a number in a cell is, by the format with which it is shown. */
export type NumberKind = 'date' | 'percent' | 'dollars' | 'number';

/** What the cells of a sheet refer to. */
interface SheetContext {
  readonly strings: readonly string[];
  readonly kinds: readonly NumberKind[];
  readonly is1904: boolean;
  /** The last row of a heading that is merged over several, by its cell. */
  readonly merges: ReadonlyMap<string, number>;
}

/**
 * The rows of a sheet as texts, in batches. The number of a row is that of the sheet: rows that the file
 * leaves out are empty. A number has all its digits, a date is `YYYY-MM-DD`, and a percentage has its sign.
 * A formula has the value that was stored with it.
 *
 * @throws {ImportRefusal} for a damaged sheet, and beyond {@link sheetCellsMax}.
 */
export async function* sheetRows(
  bytes: AsyncIterable<Uint8Array>,
  context: SheetContext,
): AsyncGenerator<readonly (readonly string[])[]> {
  const sheet = new SheetReader(context);
  for await (const _ of readXml(bytes, sheet)) {
    const rows = sheet.takeRows();
    if (rows.length > 0) yield rows;
  }
}

class SheetReader {
  readonly #context: SheetContext;
  /** Headings that belong to a later row: the text by row and column. */
  readonly #moved = new Map<number, Map<number, string>>();
  #rows: string[][] = [];
  #row: string[] = [];
  #rowNumber = 0;
  #rowChars = 0;
  #cells = 0;
  #column = 0;
  #reference = '';
  #type = '';
  #style = 0;
  #text = '';
  /** The element whose text is the value of the cell. */
  #valueIn: 'v' | 't' | undefined;
  #isInReading = false;

  constructor(context: SheetContext) {
    this.#context = context;
  }

  /** The rows that are complete, once. */
  takeRows(): string[][] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'row':
        this.#startRow(attributes['r']);
        break;
      case 'c':
        this.#startCell(attributes);
        break;
      case 'v':
        this.#valueIn = 'v';
        break;
      case 'rPh':
        this.#isInReading = true;
        break;
      case 't':
        if (this.#type === 'inlineStr' && !this.#isInReading) this.#valueIn = 't';
        break;
    }
  }

  text(text: string): void {
    if (this.#valueIn === undefined) return;
    this.#text += text;
    this.#countChars(text.length);
  }

  close(name: string): void {
    switch (name) {
      case 'row':
        this.#endRow();
        break;
      case 'c':
        this.#endCell();
        break;
      case 'v':
      case 't':
        this.#valueIn = undefined;
        break;
      case 'rPh':
        this.#isInReading = false;
        break;
    }
  }

  #startRow(reference: string | undefined): void {
    const number = reference === undefined ? this.#rowNumber + 1 : Number(reference);
    if (!Number.isInteger(number) || number <= this.#rowNumber || number > rowsMax) {
      throw new ImportRefusal(
        'unreadable',
        `the workbook is damaged: row ${reference} is out of order`,
      );
    }
    for (let row = this.#rowNumber + 1; row < number; row += 1) this.#push(row, []);
    this.#rowNumber = number;
    this.#row = [];
    this.#rowChars = 0;
    this.#column = -1;
  }

  #startCell({
    r: reference,
    t: type = 'n',
    s: style = '0',
  }: Readonly<Record<string, string>>): void {
    const place = reference === undefined ? undefined : cellPlace(reference);
    this.#column = place?.column ?? this.#column + 1;
    if ((reference !== undefined && place === undefined) || this.#column >= columnsMax) {
      throw new ImportRefusal(
        'unreadable',
        `the workbook is damaged: there is no cell ${reference}`,
      );
    }
    this.#reference = reference ?? '';
    this.#type = type;
    this.#style = Number(style);
    this.#text = '';
  }

  #endCell(): void {
    const text = this.#value().replaceAll(/[\r\n]+/g, ' ');
    if (text === '') return;
    const mergedTo = this.#context.merges.get(this.#reference);
    if (mergedTo !== undefined) {
      this.#moved.getOrInsertComputed(mergedTo, () => new Map()).set(this.#column, text);
      return;
    }
    this.#put(this.#row, this.#column, text);
  }

  #put(row: string[], column: number, text: string): void {
    this.#cells += Math.max(0, column + 1 - row.length);
    if (this.#cells > sheetCellsMax) {
      const message = `the sheet has more than ${sheetCellsMax} cells; save it as CSV, and import that`;
      throw new ImportRefusal('too-large', message);
    }
    while (row.length < column) row.push('');
    row[column] = text;
  }

  #endRow(): void {
    this.#push(this.#rowNumber, this.#row);
  }

  #push(number: number, row: string[]): void {
    const moved = this.#moved.get(number);
    if (moved !== undefined) {
      for (const [column, text] of moved) this.#put(row, column, text);
    }
    this.#rows.push(row);
  }

  #countChars(count: number): void {
    this.#rowChars += count;
    if (this.#rowChars > rowCharsMax) {
      const message = `a row of the sheet has more than ${rowCharsMax} characters`;
      throw new ImportRefusal('too-large', message);
    }
  }

  #value(): string {
    const text = this.#text;
    switch (this.#type) {
      case 's': {
        const shared = this.#context.strings[Number(text)] ?? '';
        this.#countChars(shared.length);
        return shared;
      }
      case 'inlineStr':
      case 'str':
      case 'd':
      case 'e':
        return text;
      case 'b':
        return text === '1' ? 'TRUE' : 'FALSE';
      default:
        return this.#numberText(text.trim());
    }
  }

  /** A workbook writes a number with 17 digits. The shortest decimal of the same number is meant. */
  #numberText(text: string): string {
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) return text;
    const kind = this.#context.kinds[this.#style] ?? 'number';
    if (kind === 'date') return dateOfSerial(value, this.#context.is1904) ?? String(value);
    if (kind === 'percent') return `${Number((value * 100).toPrecision(15))}%`;
    // The sign is only in the format, and decides whether the price is one in pesos.
    return kind === 'dollars' ? `US$ ${value}` : String(value);
  }
}

/** Rows from the top in which merged cells are headings. */
const headingRowsMax = 10;

/** Number of characters that are searched again with the next chunk: longer than any match. */
const overlapChars = 200;

/**
 * The cells at the bottom of headings that are merged over several rows, by the cell at their top. Such a
 * heading belongs to the last of its rows, next to the headings of the other columns. A sheet lists its
 * merged cells after its rows, so it is searched before it is read.
 */
export async function headerMerges(
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReadonlyMap<string, number>> {
  const merges = new Map<string, number>();
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true });
    for (const [, from = '', to = ''] of text.matchAll(
      /mergeCell ref="([A-Z]+\d+):([A-Z]+\d+)"/g,
    )) {
      const [top, bottom] = [cellPlace(from), cellPlace(to)];
      if (top === undefined || bottom === undefined) continue;
      if (bottom.row <= headingRowsMax && bottom.row > top.row) merges.set(from, bottom.row);
    }
    text = text.slice(-overlapChars);
  }
  return merges;
}

/** The limits of a sheet in the format. */
const columnsMax = 16_384;
const rowsMax = 1_048_576;

/** The place of a cell: the column from 0, the row from 1. */
interface CellPlace {
  readonly column: number;
  readonly row: number;
}

/** The place of a reference such as `AB12`. Undefined beyond the limits of a sheet. */
function cellPlace(reference: string): CellPlace | undefined {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? [];
  if (letters === '') return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  const row = Number(digits);
  return column > columnsMax || row < 1 || row > rowsMax ? undefined : { column: column - 1, row };
}

const msPerSecond = 1_000;
const secondsPerDay = 86_400;

/** The serial number of the day that does not exist: Excel takes 1900 for a leap year. */
const noDay = 60;

/** The last day that a workbook can have, 31 December 9999, in the system of 1900. */
const serialMax = 2_958_465;

/**
 * The date of a serial number as `YYYY-MM-DD`, with ` HH:MM:SS` if it has a time. The system of 1900 counts
 * 1 January 1900 as 1, the one of 1904 counts 1 January 1904 as 0. Undefined for a number that is no date.
 */
function dateOfSerial(serial: number, is1904: boolean): string | undefined {
  if (!(serial >= 0) || serial > serialMax) return undefined;
  // A fraction of a day is rounded to seconds, because it has no exact binary value.
  const seconds = Math.round(serial * secondsPerDay);
  const days = Math.floor(seconds / secondsPerDay);
  if (!is1904 && (days === noDay || days === 0)) return undefined;
  const before = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < noDay ? 31 : 30);
  const text = new Date(before + seconds * msPerSecond).toISOString();
  const date = text.slice(0, 10);
  return seconds % secondsPerDay === 0 ? date : `${date} ${text.slice(11, 19)}`;
}
