import { csvRows } from './csv.ts';
import { jsonRows } from './json.ts';
import type { TableHead } from './layouts/layout.ts';
import { ndjsonLineCharsMax, ndjsonRows, startsAsNdjson } from './ndjson.ts';
import type { Row } from './table.ts';
import { decodeText } from './text.ts';

/** How many rows a file is recognised from. */
const headRows = 5000;

/** A table whose first rows are known; disposing it stops reading. */
export interface OpenTable extends AsyncDisposable {
  readonly head: TableHead;
  /** All rows, those of the head among them. */
  readonly batches: AsyncIterable<readonly Row[]>;
}

/** Reads the first rows of a file: JSON or NDJSON when it begins as they do, and else CSV. */
export async function openTable(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<OpenTable> {
  const texts = decodeText(bytes);
  const start = await firstLine(await firstText(texts), texts);
  const type = /^\s*[[{]/.test(start) ? 'json' : 'csv';
  const all = startingWith([start], texts);
  const batches =
    type === 'csv' ? csvRows(all) : startsAsNdjson(start) ? ndjsonRows(all) : jsonRows(all);
  const held: (readonly Row[])[] = [];
  let count = 0;
  while (count < headRows) {
    const { done, value } = await batches.next();
    if (done === true) break;
    held.push(value);
    count += value.length;
  }
  return {
    head: { path, type, rows: held.flat() },
    batches: startingWith(held, batches),
    [Symbol.asyncDispose]: async () => {
      await batches.return(undefined);
      await texts.return(undefined);
    },
  };
}

async function firstText(texts: AsyncGenerator<string>): Promise<string> {
  let start = '';
  while (start.trim() === '') {
    const { done, value } = await texts.next();
    if (done === true) break;
    start += value;
  }
  return start;
}

/** A start that may be NDJSON, with more text until its first line is whole or too long. */
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

async function* startingWith<T>(held: T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  for (let one = held.shift(); one !== undefined; one = held.shift()) yield one;
  yield* rest;
}
