import { ImportRefusal } from './import-refusal.ts';
import type { Row } from './table.ts';

/** Longest JSON document, which is held whole. A longer one is better sent as CSV. */
export const jsonCharsMax = 67_108_864;

/**
 * The rows of a JSON document, a header first: an array of flat objects, or an object with one such
 * array in it (`{"body": [...]}`). A key that some objects lack is an empty cell there.
 */
export async function* jsonRows(texts: AsyncIterable<string>): AsyncGenerator<readonly Row[]> {
  const parts: string[] = [];
  let length = 0;
  for await (const text of texts) {
    parts.push(text);
    length += text.length;
    if (length > jsonCharsMax) {
      throw new ImportRefusal('too-large', `JSON longer than ${jsonCharsMax} characters`);
    }
  }
  yield tableOf(arrayIn(parse(parts.join(''))));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ImportRefusal('unreadable', 'not valid JSON', { cause: error });
  }
}

function arrayIn(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const arrays = Object.values(document ?? {}).filter((value) => Array.isArray(value));
  const [only] = arrays;
  if (only === undefined || arrays.length > 1) {
    throw new ImportRefusal('not-prices', 'the JSON holds no single array of rows');
  }
  return only;
}

function tableOf(rows: readonly unknown[]): readonly Row[] {
  const objects = rows.filter((row) => typeof row === 'object' && row !== null) as Record<
    string,
    unknown
  >[];
  const keys = new Map<string, number>();
  for (const object of objects) {
    for (const key of Object.keys(object)) if (!keys.has(key)) keys.set(key, keys.size);
  }
  const header = [...keys.keys()];
  return [header, ...objects.map((object) => header.map((key) => cellOf(object[key])))];
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}
