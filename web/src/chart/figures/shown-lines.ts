import type { HistoryRow, InstrumentInfo, IntradayRow } from '../../market/api/quote.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import type { Bar } from '../drawing/bars.ts';
import { dollarOf, isInPesos, shownUnit, type Converted } from './conversion.ts';
import { barsOfPair, closesOfLine, pairsOf } from './pairs.ts';
import { quotientRows, type TableRow } from './exported-rows.ts';

/** The rows of an instrument that are left out, because the price of the dollar is not known. */
export interface MissingDollars {
  readonly ticker: string;
  /** The session of each row. */
  readonly days: readonly string[];
}

/** What a chart shows of the series of its instruments, in the currency of the chart. */
export interface ShownLines<Row extends HistoryRow | IntradayRow> {
  readonly names: readonly string[];
  /** The unit of the values of each line. Empty for a quotient. */
  readonly units: readonly string[];
  /** The number of the colour of each line. A pair has that of its compared instrument. */
  readonly colors: readonly number[];
  readonly bars: readonly (readonly Bar[])[];
  /** The values as closes, for statistics. */
  readonly closes: readonly (readonly (Row | HistoryRow)[])[];
  /** The rows to export. */
  readonly rows: readonly (readonly TableRow[])[];
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
  /** Expresses rows in the dollar of the chart. */
  readonly convert: (rows: readonly Row[]) => Converted<Row>;
}

/**
 * The lines of a chart, of the rows of its instruments: in the currency of the chart and then, if it
 * shows pairs, as quotients.
 */
export function shownLines<Row extends HistoryRow | IntradayRow>(
  series: readonly (readonly Row[])[],
  { place, infos, barsOf, convert }: Options<Row>,
): ShownLines<Row> {
  const { currency, mode } = place;
  const instruments = [place.ticker, ...place.compared].map((ticker, at) => {
    const info = infos.get(ticker);
    const rows = series[at] ?? [];
    const isConverted = currency !== 'original' && isInPesos(info);
    const converted = isConverted ? convert(rows) : { rows, missing: [] };
    return { ticker, info, isConverted, ...converted, bars: barsOf(converted.rows) };
  });
  const missing = instruments.map(({ ticker, missing: left }) => ({
    ticker,
    days: left.map(({ fecha }) => fecha),
  }));
  const isConverted = instruments.some((one) => one.isConverted);
  if (mode === 'variacion' || instruments.length === 1) {
    const rows = instruments.map((one) => one.rows);
    return {
      names: instruments.map(({ ticker }) => ticker),
      units: instruments.map(({ info }) => shownUnit(info, currency)),
      colors: instruments.map((_, at) => at + 1),
      bars: instruments.map(({ bars }) => bars),
      closes: rows,
      rows,
      missing,
      refusals: [],
      isQuotient: false,
      isConverted,
    };
  }
  const [own = { bars: [], isConverted: false }, ...others] = instruments;
  const lines = pairsOf(instruments, currency).map((pair, at) => {
    const other = others[at] ?? own;
    const conversion =
      own.isConverted || other.isConverted ? { conversion: dollarOf(currency) } : {};
    return {
      ...pair,
      ...conversion,
      color: at + 2,
      bars: barsOfPair(pair, [own.bars, other.bars]),
    };
  });
  const shown = lines.filter(({ refusal }) => refusal === undefined);
  return {
    names: shown.map(({ name }) => name),
    units: shown.map(() => ''),
    colors: shown.map(({ color }) => color),
    bars: shown.map(({ bars }) => bars),
    closes: shown.map(({ name, bars }) => closesOfLine(name, bars)),
    rows: shown.map(({ name, bars, conversion }) => quotientRows(bars, { name, conversion })),
    missing,
    refusals: lines.flatMap(({ refusal }) => refusal ?? []),
    isQuotient: true,
    isConverted,
  };
}
