import Papa from 'papaparse';
import { findHeader } from '../layouts/headings.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import type { CellRow } from '../cells/table.ts';

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
 * then the one with the most cells. So neither a title
 * nor a row of another kind decides. Blank lines, such as the end of the last line, do not count.
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
