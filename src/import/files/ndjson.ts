import { ImportRefusal } from '../refusals/import-refusal.ts';
import { JsonKeys, parseJson } from './json.ts';
import { shapedRows } from './json-shapes.ts';
import type { Row } from '../cells/table.ts';

/** Maximum length of a line, in characters. */
export const ndjsonLineCharsMax = 1_048_576;

/** Maximum number of rows in a batch, and of characters in their lines. */
const batchRowsMax = 5_000;
const batchCharsMax = 4_194_304;

/**
 * Whether a text has one JSON object per line. A single line with an array of rows is not NDJSON.
 */
export function startsAsNdjson(start: string): boolean {
  const text = start.trimStart();
  const end = text.indexOf('\n');
  const isSingle = end === -1;
  const first = parseObject(isSingle ? text : text.slice(0, end));
  if (first === undefined) return false;
  const rest = isSingle ? '' : text.slice(end).trim();
  const isOneRow =
    !Object.values(first).some((value) => Array.isArray(value)) && shapedRows(first) === undefined;
  return rest !== '' || isOneRow;
}

/**
 * The rows of NDJSON, with a header first: one flat object per line. The header has the keys of the
 * first rows. A key that first appears later adds a cell at the end of its rows. A missing key is
 * an empty cell, and so is a value that is neither a text nor a number. A blank line is a row
 * without cells, so that row numbers equal line numbers.
 *
 * @throws {ImportRefusal} for a line that is not a JSON object, with its number, or is too long.
 */
export async function* ndjsonRows(
  texts: AsyncIterable<string>,
  {
    headRows,
    headCharsMax,
    blankLines,
  }: {
    /** The header has the keys of at most this many rows, and at most `headCharsMax` characters. */
    readonly headRows: number;
    readonly headCharsMax: number;
    /** Number of blank lines before the texts. */
    readonly blankLines: number;
  },
): AsyncGenerator<readonly Row[]> {
  const keys = new JsonKeys();
  let rows: Row[] = [];
  let chars = 0;
  let count = blankLines;
  let isHead = true;
  for await (const line of linesOf(texts)) {
    count += 1;
    chars += line.length;
    rows.push(line.trim() === '' ? [] : keys.rowOf(objectOf(line, count)));
    const [rowsMax, charsMax] = isHead ? [headRows, headCharsMax] : [batchRowsMax, batchCharsMax];
    if (rows.length < rowsMax && chars < charsMax) continue;
    yield isHead ? [keys.header, ...rows] : rows;
    isHead = false;
    rows = [];
    chars = 0;
  }
  yield isHead ? [keys.header, ...rows] : rows;
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > ndjsonLineCharsMax) {
      const message = `a line is longer than ${ndjsonLineCharsMax} characters`;
      throw new ImportRefusal('too-large', message);
    }
  }
  if (rest !== '') yield rest;
}

function objectOf(line: string, number: number): Record<string, unknown> {
  const value = parseJson(line, () => ({ line: number, column: 1 }));
  if (isObject(value)) return value;
  throw new ImportRefusal('unreadable', `line ${number} is not a JSON object`);
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
