import { oneDaySince } from '../../domain/calendar/business-days.ts';
import { cellAt } from '../cells/table.ts';
import { exportedCloses, namesOf } from '../cells/exported-columns.ts';
import { findHeader, hasColumns, type Header } from './headings.ts';
import {
  readingUnder,
  type DocumentName,
  type Layout,
  type Naming,
  type PriceColumn,
  type Reading,
  type SeriesColumns,
  type TableHead,
} from './layout.ts';

/** A heading as {@link Header.folded} has it, or a pattern of headings. */
type Heading = string | RegExp;

/** A table of one source, by its headings. A table is of the source if it has all of them. */
interface SourceTable extends Pick<Reading, 'usualDate' | 'usualDecimal'> {
  /** The name that the report of an import shows. */
  readonly layout: string;
  readonly date: Heading;
  /** The column of the names. Without one, the file has one instrument. */
  readonly names?: Heading;
  readonly columns: Readonly<Partial<Record<PriceColumn, Heading>>> & { readonly close: Heading };
  /** Columns that some tables of the source lack. */
  readonly optional?: Readonly<Partial<Record<PriceColumn, Heading>>>;
  /** Headings that are not read, by which the source is known. */
  readonly beside?: readonly string[];
  /** What else only a table of the source has. */
  readonly fits?: (head: TableHead, header: Header, close: number) => boolean;
  /** The instrument of every table. */
  readonly ticker?: string;
  readonly naming: Naming | ((firstName: string) => Naming);
  readonly omit?: (header: Header) => Reading['omit'];
  /** The document of which the table was made. Its further columns are reported. */
  readonly document?: DocumentName;
}

const english = { close: 'close', open: 'open', high: 'high', low: 'low' } as const;
const spanish = { close: 'cierre', open: 'apertura', high: 'maximo', low: 'minimo' } as const;

/** The table of a document, whose headings are those of `files/documents.ts`. */
const ofDocument = {
  names: 'symbol',
  date: 'date',
  columns: { close: 'close' },
  optional: { open: 'open', high: 'high', low: 'low', volume: 'volume' },
  usualDate: 'YYYY-MM-DD',
  usualDecimal: '.',
} as const;

/**
 * Rava's "Bajar en formato Excel". Re-saved files often have an unnamed column of row numbers first. Rates have
 * a wider table with `ultimo`, which `cierre` repeats.
 */
const ofRava = {
  date: 'fecha',
  names: 'especie',
  columns: { ...spanish, volume: 'volumen' },
  naming: 'canonical',
  usualDecimal: '.',
} as const;

/** The columns of a close, as `pizarra export` writes them. */
const closeColumns = namesOf(exportedCloses);

/** Every source whose tables differ from the others only in what is written here. The first one that fits is used. */
const sourceTables = [
  { ...ofDocument, layout: 'yahoo-chart', document: 'yahoo-chart', naming: 'yahoo-symbol' },
  {
    ...ofDocument,
    layout: 'alpha-vantage',
    document: 'alpha-vantage',
    // It has US shares by their own symbols, and pairs of cryptocurrencies.
    naming: (symbol: string) => (symbol.includes('/') ? 'bare' : 'us'),
  },
  {
    layout: 'pizarra',
    date: 'date',
    names: 'ticker',
    columns: { ...english, volume: 'volume' },
    // Without it, the file is the source.
    optional: { source: 'source' },
    fits: (_: TableHead, { cells }: Header) =>
      cells.length >= closeColumns.length - 1 &&
      cells.every((cell, at) => cell.trim() === closeColumns[at]),
    naming: 'canonical',
    usualDate: 'YYYY-MM-DD',
    usualDecimal: '.',
  },
  { ...ofRava, layout: 'rava-quote', beside: ['ultimo'] },
  { ...ofRava, layout: 'rava-history' },
  {
    // BYMA's "series históricas" have a row for each term of settlement. The close is that of the standard term.
    layout: 'byma-series',
    date: 'fecha',
    names: 'simbolo',
    columns: { close: spanish.close, volume: 'volumen nominal' },
    optional: { open: spanish.open, high: spanish.high, low: spanish.low },
    beside: ['vencimiento'],
    omit: ({ folded }: Header) => ({
      when: (row, date) => {
        const standard = date < oneDaySince ? '48' : '24';
        return !cellAt(row, folded.indexOf('vencimiento')).trim().startsWith(standard);
      },
      because: 'not the standard settlement term of that day',
    }),
    naming: 'canonical',
    usualDecimal: ',',
  },
  {
    // An index of argentinadatos, which the path names.
    layout: 'argentinadatos-index',
    date: 'fecha',
    columns: { close: 'valor' },
    fits: ({ path }: TableHead) => /riesgo[ _-]pais/i.test(path),
    ticker: 'RIESGO PAIS',
    naming: 'canonical',
    usualDecimal: '.',
  },
  {
    // Downloads of nasdaq.com. The dollar sign proves that they are of the US share and not of the CEDEAR.
    layout: 'nasdaq',
    date: 'date',
    columns: { ...english, close: /^close(?:\/last)?$/, volume: 'volume' },
    fits: ({ rows }: TableHead, { skipRows }: Header, close: number) =>
      cellAt(rows[skipRows] ?? [], close)
        .trim()
        .startsWith('$'),
    naming: 'us',
    usualDate: 'MM/DD/YYYY',
    usualDecimal: '.',
  },
  {
    // Downloads of finance.yahoo.com. People omit the `.BA` of its tickers of Buenos Aires.
    layout: 'yahoo',
    date: 'date',
    columns: { ...english, volume: 'volume' },
    beside: ['adj close'],
    naming: 'yahoo',
    usualDate: 'YYYY-MM-DD',
    usualDecimal: '.',
  },
  {
    // The volume of coins is the nominal one. `volume` (or `Volume USD`) is the amount of money.
    layout: 'crypto-data-download',
    date: 'date',
    names: 'symbol',
    columns: { ...english, volume: /^volume[ _](?!usd)[a-z]+$/ },
    naming: 'bare',
    usualDate: 'YYYY-MM-DD',
    usualDecimal: '.',
  },
] as const satisfies readonly SourceTable[];

/** The name of a layout in {@link sourceTables}. */
export type SourceName = (typeof sourceTables)[number]['layout'];

/** The tables of known sources. An adjusted close is not read, because history is not adjusted (contract 2.2.1). */
export const sources: Layout = {
  recognise(head) {
    const header = findHeader(head);
    if (header === undefined) return undefined;
    for (const table of sourceTables) {
      const reading = readingOf(table, head, header);
      if (reading !== undefined) return reading;
    }
    return undefined;
  },
};

function readingOf(table: SourceTable, head: TableHead, header: Header): Reading | undefined {
  const { layout, beside = [], optional = {}, naming, usualDate, usualDecimal, document } = table;
  if (document !== head.document || !hasColumns(header, beside)) return undefined;
  const at = (heading: Heading) =>
    header.folded.findIndex((one) =>
      typeof heading === 'string' ? one === heading : heading.test(one),
    );
  const placesOf = (columns: Readonly<Partial<Record<PriceColumn, Heading>>>) =>
    Object.entries(columns).map(([name, heading]) => [name, at(heading)] as const);
  const places = placesOf(table.columns);
  const date = at(table.date);
  const index = table.names === undefined ? undefined : at(table.names);
  if (date < 0 || (index ?? 0) < 0 || places.some(([, place]) => place < 0)) return undefined;
  if (table.fits?.(head, header, at(table.columns.close)) === false) return undefined;
  const columns = [...places, ...placesOf(optional).filter(([, place]) => place >= 0)];
  const omit = table.omit?.(header);
  const firstName = cellAt(head.rows[header.skipRows] ?? [], index ?? -1);
  const used = new Set([date, index, header.folded.indexOf('currency')]);
  for (const [, place] of columns) used.add(place);
  return readingUnder(header, {
    layout,
    date,
    naming: typeof naming === 'string' ? naming : naming(firstName),
    ...(usualDate !== undefined && { usualDate }),
    ...(usualDecimal !== undefined && { usualDecimal }),
    ...(omit !== undefined && { omit }),
    series: [{ ticker: tickerIn(table, index), ...Object.fromEntries(columns) } as SeriesColumns],
    ...(document !== undefined && { unused: header.cells.filter((_, place) => !used.has(place)) }),
  });
}

function tickerIn({ ticker }: SourceTable, index: number | undefined): SeriesColumns['ticker'] {
  if (ticker !== undefined) return { type: 'known', ticker };
  return index === undefined ? { type: 'file' } : { type: 'column', index };
}
