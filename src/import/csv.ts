import Papa from 'papaparse';
import { ImportRefusal } from './import-refusal.ts';
import type { Row } from './cells/table.ts';

/** Maximum length of a row. Without it, a quote that is never closed would read the whole file. */
export const csvRowCharsMax = 1_048_576;

/** Maximum number of characters from which the delimiter is detected. */
const guessCharsMax = 65_536;

/** Maximum number of rows from which the delimiter is detected. */
const guessRowsMax = 20;

/**
 * The rows of a CSV text, in batches as they arrive. Rows may differ in length. The delimiter is a
 * comma, a semicolon, a tab or a vertical bar: the one that splits the first rows most evenly.
 */
export async function* csvRows(texts: AsyncIterable<string>): AsyncGenerator<readonly Row[]> {
  let parser: Papa.Parser | undefined;
  let rest = '';
  let parseFrom = 0;
  for await (const text of texts) {
    rest += text;
    if (rest.length < parseFrom) continue;
    if (parser === undefined) {
      if (rest.length < guessCharsMax && !rest.includes('\n')) continue;
      parser = parserFor(rest);
    }
    const { data, meta } = parser.parse(rest, 0, true) as Papa.ParseResult<string[]>;
    rest = rest.slice(meta.cursor);
    // The incomplete row at the end is parsed again when its text has doubled, not after every chunk.
    parseFrom = Math.min(rest.length * 2, csvRowCharsMax);
    yield data;
    if (rest.length > csvRowCharsMax) {
      throw new ImportRefusal(
        'not-prices',
        `a row is longer than ${csvRowCharsMax} characters: a quote is not closed, or the file is not CSV`,
      );
    }
  }
  parser ??= parserFor(rest);
  yield (parser.parse(rest, 0, false) as Papa.ParseResult<string[]>).data;
}

function parserFor(start: string): Papa.Parser {
  const guess = Papa.parse(start.slice(0, guessCharsMax), { preview: guessRowsMax });
  return new Papa.Parser({ delimiter: guess.meta.delimiter, newline: '\n' });
}
