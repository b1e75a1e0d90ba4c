import type { HistoryRow, InstrumentInfo, IntradayRow } from '../../market/api/quote.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import type { Bar } from '../drawing/bars.ts';
import type { LineSource } from '../drawing/chart-content.ts';
import { dollarOf, isInPesos, rowsInDollars, shownUnit } from './conversion.ts';
import { quotientOf, refusalOf } from './pairs.ts';
import { quotientRows, type TableRow } from './exported-rows.ts';

/** The rows of an instrument that are left out, because the price of the dollar is not known. */
export interface MissingDollars {
  readonly ticker: string;
  /** The session of each row. */
  readonly days: readonly string[];
}

/** A line of a chart. A pair has the colour of its compared instrument. */
interface ShownLine<Row extends HistoryRow | IntradayRow> extends LineSource {
  /** The values as closes, for statistics. */
  readonly closes: readonly (Row | HistoryRow)[];
  /** The rows to export. */
  readonly rows: readonly TableRow[];
}

/** What a chart shows of the series of its instruments, in the currency of the chart. */
export interface ShownLines<Row extends HistoryRow | IntradayRow> {
  readonly lines: readonly ShownLine<Row>[];
  readonly missing: readonly MissingDollars[];
  /** Why pairs cannot be shown, and what the user can do, a sentence for each. */
  readonly refusals: readonly string[];
  readonly isQuotient: boolean;
  /** Whether prices of an instrument are expressed in the dollar of the chart. */
  readonly isConverted: boolean;
}

/** How the rows of a chart become its lines. */
interface Options<Row> {
  readonly place: Pick<InstrumentPlace, 'ticker' | 'compared' | 'currency' | 'mode'>;
  readonly infos: ReadonlyMap<string, Pick<InstrumentInfo, 'moneda'>>;
  readonly barsOf: (rows: readonly Row[]) => readonly Bar[];
  /** The rows of the dollar of the chart. Empty if it has none. */
  readonly dollars: readonly Row[];
}

/**
 * The lines of a chart, of the rows of its instruments: in the currency of the chart and then, if it
 * shows pairs, as quotients.
 */
export function shownLines<Row extends HistoryRow | IntradayRow>(
  series: readonly (readonly Row[])[],
  { place, infos, barsOf, dollars }: Options<Row>,
): ShownLines<Row> {
  const { currency, mode } = place;
  const instruments = [place.ticker, ...place.compared].map((ticker, at) => {
    const info = infos.get(ticker);
    const rows = series[at] ?? [];
    const isConverted = currency !== 'original' && isInPesos(info);
    const shown = isConverted ? rowsInDollars(rows, dollars, barsOf) : { rows, missing: [] };
    return { ticker, info, isConverted, ...shown, bars: barsOf(shown.rows), color: at + 1 };
  });
  const all = {
    missing: instruments.map(({ ticker, missing }) => ({
      ticker,
      days: missing.map(({ fecha }) => fecha),
    })),
    isConverted: instruments.some(({ isConverted }) => isConverted),
  };
  const [own, ...others] = instruments;
  if (mode === 'variacion' || own === undefined || others.length === 0) {
    const lines = instruments.map(({ ticker, info, color, bars, rows }) => ({
      name: ticker,
      unit: shownUnit(info, currency),
      color,
      bars,
      closes: rows,
      rows,
    }));
    return { ...all, lines, refusals: [], isQuotient: false };
  }
  const refusals = others.map((other) => refusalOf([own, other], currency));
  const lines = others.flatMap((other, at) => {
    if (refusals[at] !== undefined) return [];
    const name = `${own.ticker}/${other.ticker}`;
    const conversion = own.isConverted || other.isConverted ? dollarOf(currency) : undefined;
    const bars = quotientOf(own.bars, other.bars);
    const rows = quotientRows(bars, { name, conversion });
    const closes = rows.map(({ especie, fecha, cociente }) => ({
      especie,
      fecha,
      ultimo: cociente,
      volumen: null,
    }));
    return { name, unit: '', color: other.color, bars, closes, rows };
  });
  return { ...all, lines, refusals: refusals.flatMap((one) => one ?? []), isQuotient: true };
}
