import { JsonArraySplitter } from '../../lib/text/json-array-splitter.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { JsonKeys } from './json-keys.ts';
import type { Row } from '../cells/table.ts';

/**
 * Maximum length of one element of the array, and of the document outside the array, in characters.
 */
export const jsonRowCharsMax = 1_048_576;

/** Maximum number of rows in a batch: short rows with many keys take much more memory than their text. */
const batchRowsMax = 4_096;

/**
 * The rows of a JSON document, with a header first. The document is an array of flat objects, or an
 * object that contains one such array (`{"body": [...]}`). A missing key is an empty cell.
 *
 * The document is streamed. The header has the keys of the first `headRows` rows, or of fewer rows
 * when they have more than `headCharsMax` characters. A key that first appears later adds a cell at
 * the end of its rows.
 */
export async function* jsonRows(
  texts: AsyncIterable<string>,
  { headRows, headCharsMax }: { readonly headRows: number; readonly headCharsMax: number },
): AsyncGenerator<readonly Row[]> {
  const keys = new JsonKeys();
  let rows: Row[] = [];
  let chars = 0;
  let isHead = true;
  for await (const elements of elementRuns(texts)) {
    chars += elements.chars;
    for (const value of elements.values) {
      rows.push(keys.rowOf(value));
      if (rows.length < (isHead ? headRows : batchRowsMax)) continue;
      yield isHead ? [keys.header, ...rows] : rows;
      isHead = false;
      rows = [];
    }
    if (isHead && chars >= headCharsMax) {
      yield [keys.header, ...rows];
      isHead = false;
      rows = [];
    }
  }
  yield isHead ? [keys.header, ...rows] : rows;
}

async function* elementRuns(
  texts: AsyncIterable<string>,
): AsyncGenerator<{ readonly values: readonly unknown[]; readonly chars: number }> {
  const splitter = new JsonArraySplitter();
  for await (const text of texts) {
    const runs = parsing(() => splitter.push(text));
    if (splitter.arrays > 1) throw noSingleArray();
    for (const run of runs) {
      const values = parsing(() => JSON.parse(`[${run}]`) as readonly unknown[]);
      yield { values, chars: run.length };
    }
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
  parsing(() => JSON.parse(splitter.outline) as unknown);
  if (splitter.arrays === 0) throw noSingleArray();
}

function parsing<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ImportRefusal('unreadable', 'not valid JSON', { cause: error });
  }
}

function noSingleArray(): ImportRefusal {
  return new ImportRefusal('not-prices', 'the JSON does not have exactly one array of rows');
}
