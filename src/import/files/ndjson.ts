import { asRecord, type JsonFields } from '../../feeds/shapes/as-record.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { parseJson, rowsOfObjects, type HeadLimits, type ValueRun } from './json.ts';
import { shapedRows } from './json-shapes.ts';
import type { CellRow } from '../cells/table.ts';

/** Maximum length of a line, in characters. */
export const ndjsonLineCharsMax = 1_048_576;

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
 * The rows of NDJSON: one flat object per line. A blank line is a row without cells, so that row numbers equal
 * line numbers.
 *
 * @param blankLines the number of blank lines before the texts.
 * @throws {ImportRefusal} for a line that is not a JSON object, with its number, or is too long.
 */
export function ndjsonRows(
  texts: AsyncIterable<string>,
  { blankLines, ...limits }: HeadLimits & { readonly blankLines: number },
): AsyncGenerator<readonly CellRow[]> {
  return rowsOfObjects(lineRuns(texts, blankLines), limits);
}

async function* lineRuns(
  texts: AsyncIterable<string>,
  blankLines: number,
): AsyncGenerator<ValueRun> {
  let count = blankLines;
  for await (const line of linesOf(texts)) {
    count += 1;
    const value = line.trim() === '' ? undefined : objectOf(line, count);
    yield { values: [value], chars: line.length };
  }
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

function objectOf(line: string, number: number): JsonFields {
  const fields = asRecord(parseJson(line, () => ({ line: number, column: 1 })));
  if (fields !== undefined) return fields;
  throw new ImportRefusal('unreadable', `line ${number} is not a JSON object`);
}

function parseObject(line: string): JsonFields | undefined {
  try {
    return asRecord(parseJson(line));
  } catch {
    return undefined;
  }
}
