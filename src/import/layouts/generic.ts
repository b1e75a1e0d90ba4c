import {
  findHeader,
  isAdjustedHistory,
  isIndexed,
  isOfOneInstrument,
  looksLikeDate,
  meaningsOf,
  namedIn,
  type Header,
  type Meaning,
} from './headings.ts';
import { cellAt, type CellRow } from '../cells/table.ts';
import type { NamedColumns } from '../refusals/import-refusal.ts';
import {
  readingUnder,
  type Choice,
  type Layout,
  type Naming,
  type SeriesColumns,
} from './layout.ts';

/**
 * Any header with a known word for a date and one for a close, in English or Spanish. The operator
 * chooses the close when several columns could be it (a bid and an ask, a `cierre` and an
 * `ultimo`), or when open, high and low have known names and the close has none. An adjusted close
 * is not a close, because history is not adjusted (contract 2.2.1). Headings that are not known
 * words can be named by the operator.
 */
export const generic: Layout = {
  recognise(head, columns = {}) {
    const header = findHeader(head, columns.dates);
    if (header === undefined) return undefined;
    const found = meaningsIn(header, columns);
    const at = (meaning: Meaning) => found.indexOf(meaning);
    const date =
      namedIn(header, columns.dates) ?? dateIn(header, found, head.rows[header.skipRows]);
    if (date === undefined) return undefined;
    const named = namedIn(header, columns.column);
    const candidates = closesIn(found);
    const isOfRows =
      isOfOneInstrument(found) || columns.tickerColumn !== undefined || columns.dates !== undefined;
    const choice = candidates.length > 0 || !isOfRows ? candidates : unnamedIn(found, date);
    const [only, ...others] = choice;
    const close = named ?? only;
    if (close === undefined) return onlyAdjusted(header, found);
    if (named === undefined && (candidates.length === 0 || others.length > 0)) {
      return { columns: choice.map((index) => cellAt(header.cells, index)) };
    }
    const series: SeriesColumns = {
      ticker: at('ticker') < 0 ? { type: 'file' } : { type: 'column', index: at('ticker') },
      close,
      ...(at('open') >= 0 && { open: at('open') }),
      ...(at('high') >= 0 && { high: at('high') }),
      ...(at('low') >= 0 && { low: at('low') }),
      ...(at('volume') >= 0 && { volume: at('volume') }),
    };
    return readingUnder(header, {
      layout: 'generic',
      date,
      naming: namingIn(header, at('ticker'), columns),
      series: [series],
      unused: unusedIn(header, date, series),
      ...(isAdjustedHistory(header) && { isAdjusted: true }),
      // JSON numbers have a decimal point in every locale.
      ...(head.type === 'json' && { usualDecimal: '.' }),
    });
  },
};

/** The choice of an adjusted close, where the table has no other. */
function onlyAdjusted(
  { cells }: Header,
  found: readonly (Meaning | undefined)[],
): Choice | undefined {
  const columns = indicesOf(found, ['adjusted']).map((index) => cellAt(cells, index));
  if (columns.length === 0) return undefined;
  const because = 'the file has only adjusted closes, which are not as traded';
  return { columns, because };
}

/** The meanings of the headings. The operator may give a heading the meaning of a ticker. */
function meaningsIn(header: Header, columns: NamedColumns): readonly (Meaning | undefined)[] {
  const found = meaningsOf(header);
  const ticker = namedIn(header, columns.tickerColumn);
  if (ticker === undefined) return found;
  return found.map((meaning, index) =>
    index === ticker ? 'ticker' : meaning === 'ticker' ? undefined : meaning,
  );
}

/** The headings under which Pizarra itself writes tickers: in its exports, and in its API. */
const ownHeadings: ReadonlySet<string | undefined> = new Set(['ticker', 'especie']);

/** A column with a heading of Pizarra has tickers of the universe. Another one may have other names. */
function namingIn({ folded }: Header, ticker: number, { tickerColumn }: NamedColumns): Naming {
  return tickerColumn === undefined && ownHeadings.has(folded[ticker]) ? 'ticker' : 'bare';
}

/**
 * The date column. Of several, the first with a date in its first row, else the first. Without any, a first
 * column of dates without a heading.
 */
function dateIn(
  { cells }: Header,
  found: readonly (Meaning | undefined)[],
  row: CellRow = [],
): number | undefined {
  const dates = indicesOf(found, ['date']);
  const [first = isIndexed(cells, row) ? 0 : undefined] = dates;
  return dates.find((index) => looksLikeDate(row[index])) ?? first;
}

/** The columns whose headings are not known words. One of them may be the close. */
function unnamedIn(found: readonly (Meaning | undefined)[], date: number): readonly number[] {
  return found.flatMap((meaning, index) =>
    meaning === undefined && index !== date ? [index] : [],
  );
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
