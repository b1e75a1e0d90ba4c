import { cellPlace, columnsMax, rowsMax } from './cell-place.ts';
import type { NumberKind } from './number-styles.ts';
import { readXml } from './read-xml.ts';
import { dateOfSerial } from './serial-date.ts';
import { WorkbookFault } from './workbook-fault.ts';

/** Maximum number of cells of a sheet, with the empty ones before the last of each row. */
export const sheetCellsMax = 5_000_000;

/** Maximum number of characters of a row. */
const rowCharsMax = 1_048_576;

/** What the cells of a sheet refer to. */
export interface SheetContext {
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
 * @throws {WorkbookFault} for a damaged sheet, and beyond {@link sheetCellsMax}.
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
      throw new WorkbookFault(
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
      throw new WorkbookFault(
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
      const later = this.#moved.get(mergedTo) ?? new Map<number, string>();
      this.#moved.set(mergedTo, later.set(this.#column, text));
      return;
    }
    this.#put(this.#row, this.#column, text);
  }

  #put(row: string[], column: number, text: string): void {
    this.#cells += Math.max(0, column + 1 - row.length);
    if (this.#cells > sheetCellsMax) {
      const message = `the sheet has more than ${sheetCellsMax} cells; save it as CSV, and import that`;
      throw new WorkbookFault('too-large', message);
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
      throw new WorkbookFault('too-large', message);
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
