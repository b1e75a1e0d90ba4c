import { csvRowCharsMax, csvRows } from './csv.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { anyJsonRows, documentIn, documentRows } from './documents.ts';
import type { TableHead } from '../layouts/layout.ts';
import { ndjsonLineCharsMax, ndjsonRows, startsAsNdjson } from './ndjson.ts';
import type { CellRow } from '../cells/table.ts';
import { counted, startingWith } from './streams.ts';
import { decodeText } from './text.ts';

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
      : document !== undefined
        ? documentRows(document, all)
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
    blankLines += newlinesIn(value, lineStart);
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

function newlinesIn(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) if (text.charCodeAt(at) === newline) count += 1;
  return count;
}

const newline = 0x0a;

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
