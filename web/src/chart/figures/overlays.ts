import { BollingerBands, EMA, MACD, RSI, SMA } from 'trading-signals';

import type { AverageChoice, IndicatorCode } from '../../places/chart-choices.ts';
import type { ChartLine, Overlay, Point } from '../drawing/chart-content.ts';
import { weightedPrices } from './weighted-price.ts';

/** The usual letters of each kind of average. */
const averageTags: Readonly<Record<AverageChoice['kind'], string>> = {
  simple: 'SMA',
  exponencial: 'EMA',
};

/** The name of an average, in the legend, on the chart and in the table: `SMA 20`. */
export function averageName({ kind, periods }: AverageChoice): string {
  return `${averageTags[kind]} ${periods}`;
}

/** An indicator of the library, which takes one value after the other. */
interface Indicator<Result> {
  readonly isStable: boolean;
  /** Null while there are too few values. */
  add(value: number): Result | null;
}

/** The results of an indicator for the closes of a line. None rests on fewer closes than its name says. */
function resultsOf<Result>(
  closes: readonly Point[],
  indicator: Indicator<Result>,
): readonly { readonly time: Point['time']; readonly result: Result }[] {
  return closes.flatMap(({ time, value }) => {
    const result = indicator.add(value);
    return result === null || !indicator.isStable ? [] : [{ time, result }];
  });
}

/** The values of an average. Its first one is at the close with which its first window is full. */
export function averageOf(
  closes: readonly Point[],
  { kind, periods }: AverageChoice,
): readonly Point[] {
  const average = kind === 'simple' ? new SMA(periods) : new EMA(periods);
  return resultsOf(closes, average).map(({ time, result }) => ({ time, value: result }));
}

/** What all overlays have that are lines on the scale of the price. */
const onPrice = { pane: 'price', isDashed: false, isBars: false, levels: [] } as const;

/** The lines of each indicator. Its periods are the usual ones, which its names say. */
const indicatorLines: Readonly<
  Record<IndicatorCode, (closes: readonly Point[]) => readonly Overlay[]>
> = {
  bollinger: (closes) => {
    const bands = resultsOf(closes, new BollingerBands(20, 2));
    return (['upper', 'lower'] as const).map((side) => ({
      ...onPrice,
      name: side === 'upper' ? 'Bollinger 20, +2' : 'Bollinger 20, −2',
      color: '--mark',
      points: bands.map(({ time, result }) => ({ time, value: result[side] })),
    }));
  },
  rsi: (closes) => [
    {
      ...onPrice,
      name: 'RSI 14',
      color: '--line-3',
      pane: 'rsi',
      levels: [30, 70],
      points: resultsOf(closes, new RSI(14)).map(({ time, result }) => ({ time, value: result })),
    },
  ],
  macd: (closes) => {
    const macd = resultsOf(closes, new MACD(new EMA(12), new EMA(26), new EMA(9)));
    const one = { ...onPrice, pane: 'macd' } as const;
    const points = (of: 'macd' | 'signal' | 'histogram') =>
      macd.map(({ time, result }) => ({ time, value: result[of] }));
    return [
      { ...one, name: 'Histograma', color: '--muted', isBars: true, points: points('histogram') },
      { ...one, name: 'MACD 12, 26', color: '--line-1', points: points('macd') },
      { ...one, name: 'Señal 9', color: '--line-2', points: points('signal') },
    ];
  },
};

/**
 * The lines computed from the first line of a chart. They are of all its closes, also those before the range,
 * so that they are right from its first day on. What is on the scale of a line of changes is a change from the
 * same base.
 */
export function overlaysOf(
  line: ChartLine | undefined,
  {
    averages,
    indicators,
    isWeighted,
    isRebased,
  }: {
    readonly averages: readonly AverageChoice[];
    readonly indicators: readonly IndicatorCode[];
    /** Whether the volume-weighted price is shown. */
    readonly isWeighted: boolean;
    readonly isRebased: boolean;
  },
): readonly Overlay[] {
  if (line === undefined) return [];
  const closes = line.bars.map(({ time, close }) => ({ time, value: close }));
  const start = line.points[0]?.time;
  const base = isRebased ? closes.find(({ time }) => time === start)?.value : 100;
  const averaged = averages.map((average, at) => ({
    ...onPrice,
    name: averageName(average),
    color: `--average-${at + 1}`,
    points: averageOf(closes, average),
  }));
  const shown = [...averaged, ...indicators.flatMap((code) => indicatorLines[code](closes))].map(
    (one) => ({
      ...one,
      points:
        start === undefined || base === undefined
          ? []
          : one.points
              .filter(({ time }) => time >= start)
              .map(({ time, value }) => ({
                time,
                value: one.pane === 'price' ? (value / base) * 100 : value,
              })),
    }),
  );
  const weighted = { ...onPrice, name: 'VWAP', color: '--weighted', isDashed: true };
  return isWeighted ? [...shown, { ...weighted, points: weightedPrices(line.bars) }] : shown;
}
