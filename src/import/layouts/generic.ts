import {
  findHeader,
  foldHeading,
  isOfOneInstrument,
  looksLikeDate,
  meaningsOf,
} from './headings.ts';
import type { Header, Meaning } from './headings.ts';
import type { Row } from '../cells/table.ts';
import type { Layout, Reading, SeriesColumns } from './layout.ts';

/**
 * Any header with a word for a date and one for a close, in English or Spanish. Where two columns
 * could be the close (a bid and an ask, a `cierre` and an `ultimo`), the operator says which, and so
 * they do where open, high and low have names and the close has none. An adjusted close is none:
 * history is kept as traded (decisions row 14).
 */
export const generic: Layout = {
  name: 'generic',
  recognise(head, column) {
    const header = findHeader(head);
    if (header === undefined) return undefined;
    const found = meaningsOf(header);
    const at = (meaning: Meaning) => found.indexOf(meaning);
    const date = dateIn(found, head.rows[header.skipRows] ?? []);
    if (date === undefined) return undefined;
    const named = column === undefined ? -1 : header.folded.indexOf(foldHeading(column));
    const candidates = closesIn(found);
    const choice =
      candidates.length > 0 || !isOfOneInstrument(found) ? candidates : unnamedIn(found);
    const [only] = choice;
    if (named < 0 && only === undefined) return undefined;
    if (named < 0 && (candidates.length === 0 || choice.length > 1)) {
      return { type: 'choice', columns: choice.map((index) => header.cells[index] ?? '') };
    }
    const series: SeriesColumns = {
      ticker: at('ticker') < 0 ? { type: 'file' } : { type: 'column', index: at('ticker') },
      close: named < 0 ? (only ?? 0) : named,
      ...(at('open') >= 0 && { open: at('open') }),
      ...(at('high') >= 0 && { high: at('high') }),
      ...(at('low') >= 0 && { low: at('low') }),
      ...(at('volume') >= 0 && { volume: at('volume') }),
    };
    const reading: Reading = {
      layout: 'generic',
      skipRows: header.skipRows,
      header: header.cells,
      date,
      naming: 'bare',
      gapsAllowed: false,
      series: [series],
      unused: unusedIn(header, date, series),
      // A number in JSON has a decimal point, whoever wrote it.
      ...(head.type === 'json' && { usualDecimal: '.' }),
    };
    return { type: 'reading', reading };
  },
};

/** The column of dates; of several, the first with a date in it: a timestamp may be a number. */
function dateIn(found: readonly (Meaning | undefined)[], row: Row): number | undefined {
  const dates = placesOf(found, ['date']);
  return dates.find((index) => looksLikeDate(row[index])) ?? dates[0];
}

/** Columns that no word says the meaning of: one of them may be the close. */
function unnamedIn(found: readonly (Meaning | undefined)[]): readonly number[] {
  return found.flatMap((meaning, index) => (meaning === undefined ? [index] : []));
}

/** The headings of columns that are not read. */
function unusedIn(header: Header, date: number, series: SeriesColumns): readonly string[] {
  const { ticker, close, open, high, low, volume } = series;
  const used = new Set([date, close, open, high, low, volume]);
  if (ticker.type === 'column') used.add(ticker.index);
  return header.cells.filter((cell, index) => cell.trim() !== '' && !used.has(index));
}

/** The columns that could be the close: of the plainest sort of which there are any. */
function closesIn(found: readonly (Meaning | undefined)[]): readonly number[] {
  const closes = placesOf(found, ['close', 'price']);
  return closes.length > 0 ? closes : placesOf(found, ['side']);
}

function placesOf(
  found: readonly (Meaning | undefined)[],
  meanings: readonly Meaning[],
): readonly number[] {
  return found.flatMap((meaning, index) =>
    meaning !== undefined && meanings.includes(meaning) ? [index] : [],
  );
}
