import {
  findHeader,
  foldHeading,
  isOfOneInstrument,
  looksLikeDate,
  meaningsOf,
} from './headings.ts';
import type { Header, Meaning } from './headings.ts';
import { cellAt } from '../cells/table.ts';
import type { Row } from '../cells/table.ts';
import type { Layout, Reading, SeriesColumns } from './layout.ts';

/**
 * Any header with a known word for a date and one for a close, in English or Spanish. The operator
 * chooses the close when several columns could be it (a bid and an ask, a `cierre` and an
 * `ultimo`), or when open, high and low have known names and the close has none. An adjusted close
 * is not a close, because history is not adjusted (contract 2.2.1).
 */
export const generic: Layout = {
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
    const [only, ...others] = choice;
    const close = named < 0 ? only : named;
    if (close === undefined) return undefined;
    if (named < 0 && (candidates.length === 0 || others.length > 0)) {
      return { type: 'choice', columns: choice.map((index) => cellAt(header.cells, index)) };
    }
    const series: SeriesColumns = {
      ticker: at('ticker') < 0 ? { type: 'file' } : { type: 'column', index: at('ticker') },
      close,
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
      // JSON numbers have a decimal point in every locale.
      ...(head.type === 'json' && { usualDecimal: '.' }),
    };
    return { type: 'reading', reading };
  },
};

/** The date column. Of several, the first with a date in its first row, else the first. */
function dateIn(found: readonly (Meaning | undefined)[], row: Row): number | undefined {
  const dates = indicesOf(found, ['date']);
  return dates.find((index) => looksLikeDate(row[index])) ?? dates[0];
}

/** The columns whose headings are not known words. One of them may be the close. */
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

/** The columns that could be the close: closes and prices, or else bids and asks. */
function closesIn(found: readonly (Meaning | undefined)[]): readonly number[] {
  const closes = indicesOf(found, ['close', 'price']);
  return closes.length > 0 ? closes : indicesOf(found, ['side']);
}

function indicesOf(
  found: readonly (Meaning | undefined)[],
  meanings: readonly Meaning[],
): readonly number[] {
  return found.flatMap((meaning, index) =>
    meaning !== undefined && meanings.includes(meaning) ? [index] : [],
  );
}
