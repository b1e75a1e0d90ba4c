import Papa from 'papaparse';

import { asRecord, type JsonFields } from '../../feeds/shapes/as-record.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import type { TableHead } from '../layouts/layout.ts';
import type { CellRow } from '../cells/table.ts';
import { findHeader } from '../layouts/headings.ts';
import { newlinesIn } from '../../universe/files/csv-table.ts';
import { anyJsonRows, documentIn } from './documents.ts';
import { counted, startingWith } from './streams.ts';
import { decodeText } from './text.ts';
import { parseJson, rowsOfObjects, type HeadLimits, type ValueRun } from './json.ts';
import { shapedRows } from './json-shapes.ts';

/** Maximum number of rows from which a file is recognised. */
const headRowsMax = 5_000;

/** Maximum number of characters from which a file is recognised. */
const headCharsMax = 16_777_216;

/** A table whose first rows have been read. Disposing it stops reading. */
export interface OpenTable extends AsyncDisposable {
  readonly head: TableHead;
  /** The line of the first row. A JSON table's header has no line, so its data start one later. */
  readonly firstLine: number;
  /** All rows, including those of the head. */
  readonly batches: AsyncIterable<readonly CellRow[]>;
}

/**
 * Reads the first rows of a file: JSON or NDJSON if it begins with a bracket or brace, else CSV.
 */
export async function openTable(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  isSheet = false,
): Promise<OpenTable> {
  const texts = decodeText(bytes);
  const { start: text, blankLines } = await withoutBlankLines(texts);
  const start = await firstLine(text, texts);
  const type = !isSheet && /^\s*[[{]/.test(start) ? 'json' : 'csv';
  const document = type === 'json' ? documentIn(start) : undefined;
  const isNdjson = type === 'json' && document === undefined && startsAsNdjson(start);
  const read = { length: 0 };
  const all = counted(startingWith([start], texts), read);
  const head = { headRows: headRowsMax, headCharsMax };
  const batches =
    type === 'csv'
      ? csvRows(all, isSheet ? ',' : undefined)
      : isNdjson
        ? ndjsonRows(all, { ...head, blankLines })
        : anyJsonRows(start, all, head);
  const held: (readonly CellRow[])[] = [];
  let count = 0;
  while (count < headRowsMax && read.length < headCharsMax) {
    const { done, value } = await batches.next();
    if (done === true) break;
    held.push(value);
    count += value.length;
  }
  return {
    head: {
      path,
      type,
      rows: held.flat(),
      ...(document !== undefined && { document }),
      ...(isSheet && { isSheet }),
    },
    firstLine: type === 'csv' ? blankLines + 1 : isNdjson ? blankLines : 0,
    batches: startingWith(held, batches),
    [Symbol.asyncDispose]: async () => {
      await texts.return(undefined);
    },
  };
}

/** The first text that is not blank, and the number of blank lines before it, which are dropped. */
async function withoutBlankLines(
  texts: AsyncGenerator<string>,
): Promise<{ readonly start: string; readonly blankLines: number }> {
  let blankLines = 0;
  let line = '';
  for (;;) {
    const { done, value = '' } = await texts.next();
    if (done === true) return { start: '', blankLines };
    const first = value.search(/\S/);
    const lineStart = value.lastIndexOf('\n', first < 0 ? value.length : first) + 1;
    if (lineStart > 0) line = '';
    blankLines += newlinesIn(value, 0, lineStart);
    line += first < 0 ? value.slice(lineStart) : '';
    if (first >= 0) return { start: line + value.slice(lineStart), blankLines };
    if (line.length > csvRowCharsMax) {
      throw new ImportRefusal(
        'not-prices',
        `a blank line is longer than ${csvRowCharsMax} characters`,
      );
    }
  }
}

/** Extends a text that may be NDJSON until its first line is complete or too long. */
async function firstLine(start: string, texts: AsyncGenerator<string>): Promise<string> {
  let line = start.trimStart();
  const before = start.slice(0, start.length - line.length);
  while (line.startsWith('{') && line.length <= ndjsonLineCharsMax && !line.includes('\n')) {
    const { done, value } = await texts.next();
    if (done === true) break;
    line += value;
  }
  return before + line;
}

/** Maximum length of a row. Without it, a quote that is never closed would read the whole file. */
export const csvRowCharsMax = 1_048_576;

/** Maximum number of characters from which the delimiter is detected. */
const guessCharsMax = 65_536;

const delimiters = [',', ';', '\t', '|'] as const;

/** Maximum number of rows from which the delimiter is detected. */
const guessRowsMax = 20;

/** The first line with which Excel names the delimiter. */
const named = /^sep=(.)\s*(?:\n|$)/i;

/**
 * The rows of a CSV text, in batches as they arrive. Rows may differ in length. The delimiter is a
 * comma, a semicolon, a tab or a vertical bar, unless it is known or the first line names it.
 */
export async function* csvRows(
  texts: AsyncIterable<string>,
  known?: string,
): AsyncGenerator<readonly CellRow[]> {
  let parser: Papa.Parser | undefined;
  let rest = '';
  let parseFrom = 0;
  const parseRows = (rows: Papa.Parser): readonly CellRow[] => {
    const { data, meta } = rows.parse(rest, 0, true) as Papa.ParseResult<string[]>;
    rest = rest.slice(meta.cursor);
    return data;
  };
  for await (const text of texts) {
    rest += text;
    if (rest.length < parseFrom) continue;
    if (parser === undefined) {
      const isShort = rest.split('\n', guessRowsMax + 1).length <= guessRowsMax;
      if (rest.length < guessCharsMax && isShort) continue;
      [parser, rest] = started(rest, known);
    }
    const rows = parseRows(parser);
    // The incomplete row at the end is parsed again when its text has doubled, not after every chunk.
    parseFrom = Math.min(rest.length * 2, csvRowCharsMax);
    yield rows;
    if (rest.length > csvRowCharsMax) {
      throw new ImportRefusal(
        'not-prices',
        `a row is longer than ${csvRowCharsMax} characters: a quote is not closed, or the file is not CSV`,
      );
    }
  }
  if (parser === undefined) {
    [parser, rest] = started(rest, known);
    yield parseRows(parser);
  }
  yield (parser.parse(rest, 0, false) as Papa.ParseResult<string[]>).data;
}

/** The parser of a text, and the text. A line that names the delimiter becomes a blank one. */
function started(text: string, known: string | undefined): [Papa.Parser, string] {
  const [, sign] = named.exec(text) ?? [];
  const delimiter = known ?? sign ?? delimiterOf(text.slice(0, guessCharsMax));
  const rest = sign === undefined ? text : text.replace(/^.*/, '');
  return [new Papa.Parser({ delimiter, newline: '\n' }), rest];
}

/**
 * The delimiter under which the first rows have a known header of several cells; else, or of several, one under
 * which each quote ends at the end of a cell; then the one with which most rows have the same number of cells, and
 * then the one with the most cells. So neither a title nor a row of another kind decides. Blank lines, such as the
 * end of the last line, do not count.
 */
function delimiterOf(start: string): string {
  const options = { newline: '\n', preview: guessRowsMax, skipEmptyLines: 'greedy' } as const;
  let best = { delimiter: ',', rank: [0, 0, 0, 0] };
  for (const delimiter of delimiters) {
    const { data: rows, errors } = Papa.parse<string[]>(start, { ...options, delimiter });
    const isQuotedWell = errors.every(({ code }) => code !== 'InvalidQuotes');
    const hasHeader = (findHeader({ rows })?.cells.length ?? 0) > 1;
    const counts = Map.groupBy(
      rows.filter((row) => row.length > 1),
      (row) => row.length,
    );
    const even = Math.max(0, ...[...counts.values()].map((same) => same.length));
    const cells = rows.reduce((sum, row) => sum + row.length, 0);
    const rank = [
      Number(hasHeader),
      Number(isQuotedWell && even > 0),
      even,
      even === 0 ? 0 : cells,
    ];
    if (isAbove(rank, best.rank)) best = { delimiter, rank };
  }
  return best.delimiter;
}

function isAbove(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (rank[at] ?? 0) > (other[at] ?? 0);
}

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
