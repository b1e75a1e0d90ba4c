import { ImportRefusal } from './import-refusal.ts';
import type { Row } from './table.ts';

/** Longest line, in characters. */
export const ndjsonLineCharsMax = 1_048_576;

/** Maximum number of rows, and of their characters, that are held before they are passed on. */
const batchRows = 5_000;
const batchChars = 4_194_304;

/** Most different keys: each row has a cell for each of them. */
export const ndjsonKeysMax = 1000;

/** Whether a text is one JSON object a line. One line alone is, unless it holds an array of rows. */
export function startsAsNdjson(start: string): boolean {
  const text = start.trimStart();
  const end = text.indexOf('\n');
  const first = parseObject(end < 0 ? text : text.slice(0, end));
  if (first === undefined) return false;
  const rest = end < 0 ? '' : text.slice(end).trim();
  return rest === '' ? !Object.values(first).some((value) => Array.isArray(value)) : true;
}

/**
 * The rows of NDJSON, a header first: one flat object a line. A key that first appears after the
 * header's rows has no column. A key that an object lacks is an empty cell, and so is a value that is no text and no number. A blank line is a row without cells, so
 * that rows are counted as lines are.
 *
 * @throws {ImportRefusal} with the number of the line that is no JSON object, or too long.
 */
export async function* ndjsonRows(
  texts: AsyncIterable<string>,
  {
    headRows,
    headCharsMax,
    blankLines,
  }: {
    /** The header has the keys of this number of rows, or of this number of characters. */
    readonly headRows: number;
    readonly headCharsMax: number;
    /** Blank lines that precede the texts. */
    readonly blankLines: number;
  },
): AsyncGenerator<readonly Row[]> {
  let header: readonly string[] | undefined;
  let held: (Record<string, unknown> | undefined)[] = [];
  let chars = 0;
  let count = blankLines;
  for await (const line of linesOf(texts)) {
    count += 1;
    chars += line.length;
    held.push(line.trim() === '' ? undefined : objectOf(line, count));
    const [rowsMax, charsMax] =
      header === undefined ? [headRows, headCharsMax] : [batchRows, batchChars];
    if (held.length < rowsMax && chars < charsMax) continue;
    if (header === undefined) yield [(header = headerOf(held))];
    yield rowsOf(held, header);
    held = [];
    chars = 0;
  }
  if (header === undefined) yield [(header = headerOf(held))];
  yield rowsOf(held, header);
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
  const object = parseObject(line);
  if (object !== undefined) return object;
  throw new ImportRefusal('unreadable', `line ${number} is not a JSON object, as those before it`);
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function headerOf(objects: readonly (Record<string, unknown> | undefined)[]): readonly string[] {
  const keys = new Set<string>();
  for (const object of objects) {
    for (const key of Object.keys(object ?? {})) keys.add(key);
    if (keys.size > ndjsonKeysMax) {
      throw new ImportRefusal('not-prices', `the objects have more than ${ndjsonKeysMax} keys`);
    }
  }
  return [...keys];
}

function rowsOf(
  objects: readonly (Record<string, unknown> | undefined)[],
  header: readonly string[],
): readonly Row[] {
  return objects.map((object) =>
    object === undefined ? [] : header.map((key) => cellOf(object[key])),
  );
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}
