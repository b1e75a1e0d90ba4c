import { JsonArraySplitter } from '../../lib/text/json-array-splitter.ts';
import { cellOf, type CellRow } from '../cells/table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';

/**
 * Maximum length of one element of the array, and of the document outside the array, in characters.
 */
export const jsonRowCharsMax = 1_048_576;

/** Maximum number of rows in a batch, and of characters in their texts: short rows may have many keys. */
const batchRowsMax = 4_096;
const batchCharsMax = 4_194_304;

/** The size of the first batch, whose keys are the header. */
export interface HeadLimits {
  readonly headRows: number;
  readonly headCharsMax: number;
}

/** Values that were parsed together, and the length of their text. */
export interface ValueRun {
  readonly values: readonly unknown[];
  readonly chars: number;
}

/**
 * The rows of flat objects, with a header first, in batches. The header has the keys of the first rows. A key
 * that first appears later adds a cell at the end of its rows. A missing key is an empty cell, and so is a value
 * that is neither a text nor a number.
 */
export async function* rowsOfObjects(
  runs: AsyncIterable<ValueRun>,
  { headRows, headCharsMax }: HeadLimits,
): AsyncGenerator<readonly CellRow[]> {
  const keys = new JsonKeys();
  let [rows, chars, isHead] = [[] as CellRow[], 0, true];
  const take = (): readonly CellRow[] => {
    const batch = isHead ? [keys.header, ...rows] : rows;
    [rows, chars, isHead] = [[], 0, false];
    return batch;
  };
  for await (const run of runs) {
    chars += run.chars;
    for (const value of run.values) {
      rows.push(keys.rowOf(value));
      if (rows.length >= (isHead ? headRows : batchRowsMax)) yield take();
    }
    if (chars >= (isHead ? headCharsMax : batchCharsMax)) yield take();
  }
  yield take();
}

/**
 * The rows of a JSON document: an array of flat objects, or an object that contains one such array
 * (`{"body": [...]}`). The document is streamed.
 */
export function jsonRows(
  texts: AsyncIterable<string>,
  limits: HeadLimits,
): AsyncGenerator<readonly CellRow[]> {
  return rowsOfObjects(elementRuns(texts), limits);
}

/** The places of the outline are not those of the document. */
function parseOutline(outline: string): void {
  try {
    JSON.parse(outline);
  } catch (error) {
    const at = wrongAt(outline) ?? positionIn(error) ?? outline.length;
    const shown = shownAt(outline, at);
    const what = shown === '' ? 'it ends too early' : `unexpected ${shown} outside its rows`;
    throw new ImportRefusal('unreadable', `not valid JSON: ${what}`);
  }
}

function split(splitter: JsonArraySplitter, text: string): readonly string[] {
  try {
    return splitter.push(text);
  } catch (error) {
    throw new ImportRefusal('unreadable', `not valid JSON: ${String(error)}`);
  }
}

async function* elementRuns(texts: AsyncIterable<string>): AsyncGenerator<ValueRun> {
  const splitter = new JsonArraySplitter();
  let place = start;
  for await (const text of texts) {
    const window = splitter.pending + text;
    const runs = split(splitter, text);
    if (splitter.arrays > 1) throw noSingleArray();
    for (const run of runs) {
      // The bracket before the run is one column too many.
      const values = parseJson(`[${run}]`, () => {
        const { line, column } = placeAfter(window.slice(0, window.indexOf(run)), place);
        return { line, column: column - 1 };
      });
      yield { values: values as readonly unknown[], chars: run.length };
    }
    place = placeAfter(window.slice(0, window.length - splitter.pending.length), place);
    if (splitter.pending.length > jsonRowCharsMax) {
      throw new ImportRefusal(
        'too-large',
        `a row of the JSON is longer than ${jsonRowCharsMax} characters`,
      );
    }
    if (splitter.outline.length > jsonRowCharsMax) {
      const message = `the JSON has more than ${jsonRowCharsMax} characters outside its array of rows`;
      throw new ImportRefusal('too-large', message);
    }
  }
  parseOutline(splitter.outline);
  if (splitter.arrays === 0) throw noSingleArray();
}

function noSingleArray(): ImportRefusal {
  const message =
    'the JSON has neither one array of rows, nor columns of one length, nor a value or a row for each date';
  return new ImportRefusal('not-prices', message);
}

/** Numbers that JSON does not have, and the quotes of texts. */
const notNumbers = /"|-?\b(?:NaN|Infinity)\b/g;

/** A token of JSON that is no text, a number that JSON does not have, or white space. */
const token =
  /\s+|[{}[\],:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])|(?:true|false|null|-?NaN|-?Infinity)\b/y;

/** The place of a text in its document. Lines and columns count from 1. */
interface JsonPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Parses JSON. `NaN` and `Infinity`, which Python writes, are null: a value is missing.
 *
 * @param placeOf where the text is in its document
 * @throws {ImportRefusal} `unreadable`, with the first characters that are no JSON and their place.
 */
export function parseJson(text: string, placeOf: () => JsonPlace = () => start): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(withNulls(text));
    } catch (error) {
      throw notJson(text, placeOf(), error);
    }
  }
}

const start: JsonPlace = { line: 1, column: 1 };

/** Maximum number of characters of a wrong token in a message. */
const shownChars = 20;

function notJson(text: string, place: JsonPlace, error: unknown): ImportRefusal {
  const at = Math.min(wrongAt(text) ?? positionIn(error) ?? text.length, text.length);
  const { line, column } = placeAfter(text.slice(0, at), place);
  const shown = shownAt(text, at);
  const what = shown === '' ? 'it ends too early' : `unexpected ${shown}`;
  const message = `not valid JSON: ${what} at line ${line}, column ${column}`;
  return new ImportRefusal('unreadable', message);
}

function shownAt(text: string, at: number): string {
  const [line = ''] = text.slice(at, at + shownChars).split('\n', 1);
  return line === '' ? '' : JSON.stringify(line);
}

/** The same text with null for each number that JSON does not have. */
function withNulls(text: string): string {
  let plain = '';
  let from = 0;
  notNumbers.lastIndex = 0;
  for (let found = notNumbers.exec(text); found !== null; found = notNumbers.exec(text)) {
    if (found[0] === '"') notNumbers.lastIndex = endOfText(text, found.index);
    else {
      plain += `${text.slice(from, found.index)}null`;
      from = notNumbers.lastIndex;
    }
  }
  return plain + text.slice(from);
}

/** The index after the text that begins with a quote. */
function endOfText(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** The index of the first character that begins no token. */
function wrongAt(text: string): number | undefined {
  for (let at = 0; at < text.length;) {
    token.lastIndex = at;
    if (text[at] === '"') at = endOfText(text, at);
    else if (token.test(text)) at = token.lastIndex;
    else return at;
  }
  return undefined;
}

/** The index in a message of V8. */
function positionIn(error: unknown): number | undefined {
  const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
  return position === undefined ? undefined : Number(position);
}

/** The place at the end of a text that begins at a place. */
function placeAfter(text: string, { line, column }: JsonPlace): JsonPlace {
  const end = text.lastIndexOf('\n');
  return end < 0
    ? { line, column: column + text.length }
    : { line: line + text.split('\n').length - 1, column: text.length - end };
}

/**
 * Maximum number of different keys in the rows of one document. Rows of prices have a dozen keys, a
 * matrix has one for each instrument.
 */
export const jsonKeysMax = 1_000;

/** The keys of the rows so far, in order of appearance, with their columns. */
export class JsonKeys {
  readonly #columns = new Map<string, number>();

  get header(): CellRow {
    return [...this.#columns.keys()];
  }

  /** The cells of an element; empty when it is not an object. */
  rowOf(value: unknown): CellRow {
    if (typeof value !== 'object' || value === null) return [];
    const row: string[] = [];
    // Not Object.entries: its arrays would double the cost of this loop, which runs for every row.
    for (const key in value) {
      const column = this.#columns.get(key) ?? this.#add(key);
      while (row.length < column) row.push('');
      row[column] = cellOf((value as Record<string, unknown>)[key]);
    }
    return row;
  }

  #add(key: string): number {
    const column = this.#columns.size;
    if (column === jsonKeysMax) {
      const message = `the rows of the JSON have more than ${jsonKeysMax} different keys`;
      throw new ImportRefusal('too-large', `${message}; rows of prices have the same keys`);
    }
    this.#columns.set(key, column);
    return column;
  }
}
