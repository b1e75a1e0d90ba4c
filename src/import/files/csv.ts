import Papa from 'papaparse';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import type { Row } from '../cells/table.ts';

/** Maximum length of a row. Without it, a quote that is never closed would read the whole file. */
export const csvRowCharsMax = 1_048_576;

/** Maximum number of characters from which the delimiter is detected. */
const guessCharsMax = 65_536;

const delimiters = [',', ';', '\t', '|'] as const;

/** Number of rows up to which the last one counts even if it may be incomplete. */
const cutRowsMin = 2;

/** Maximum number of rows from which the delimiter is detected. */
const guessRowsMax = 20;

/**
 * The rows of a CSV text, in batches as they arrive. Rows may differ in length. The delimiter is a
 * comma, a semicolon, a tab or a vertical bar: the one that splits the first rows most evenly, unless
 * it is known.
 */
export async function* csvRows(
  texts: AsyncIterable<string>,
  known?: string,
): AsyncGenerator<readonly Row[]> {
  let parser: Papa.Parser | undefined;
  let rest = '';
  let parseFrom = 0;
  for await (const text of texts) {
    rest += text;
    if (rest.length < parseFrom) continue;
    if (parser === undefined) {
      if (rest.length < guessCharsMax && !rest.includes('\n')) continue;
      parser = parserFor(known ?? delimiterOf(rest.slice(0, guessCharsMax)));
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
  parser ??= parserFor(known ?? delimiterOf(rest.slice(0, guessCharsMax)));
  yield (parser.parse(rest, 0, false) as Papa.ParseResult<string[]>).data;
}

function parserFor(delimiter: string): Papa.Parser {
  return new Papa.Parser({ delimiter, newline: '\n' });
}

/**
 * The delimiter that splits most rows, and all of them most evenly; of several, the one with the most
 * fields. Blank lines, such as the end of the last line, do not count.
 */
function delimiterOf(start: string): string {
  const options = { newline: '\n', preview: guessRowsMax, skipEmptyLines: 'greedy' } as const;
  let best: { delimiter: string; uneven: number; fields: number } = {
    delimiter: ',',
    uneven: Infinity,
    fields: 0,
  };
  for (const delimiter of delimiters) {
    const { data, errors } = Papa.parse<string[]>(start, { ...options, delimiter });
    // The text may end within a row, and a line end may be within quotes.
    const endsARow = start.endsWith('\n') && !errors.some(({ code }) => code === 'MissingQuotes');
    const isCut = data.length > cutRowsMin && !endsARow;
    const lengths = data.slice(0, isCut ? -1 : undefined).map((row) => row.length);
    const split = lengths.filter((length) => length > 1).length;
    if (split * 2 < lengths.length || split === 0) continue;
    let uneven = 0;
    for (const [at, length] of lengths.entries())
      uneven += Math.abs(length - (lengths[at - 1] ?? length));
    const fields = lengths.reduce((sum, length) => sum + length, 0);
    if (uneven > best.uneven || (uneven === best.uneven && fields <= best.fields)) continue;
    best = { delimiter, uneven, fields };
  }
  return best.delimiter;
}
