import type { AverageChoice } from '../../places/chart-choices.ts';
import type { ChartLine, Overlay } from '../drawing/chart-content.ts';
import { averageOf } from './averages.ts';
import { weightedPrices } from './weighted-price.ts';

const averageNames: Readonly<Record<AverageChoice['kind'], string>> = {
  simple: 'Prom. simple',
  exponencial: 'Prom. exp.',
};

/** The usual letters of each kind. */
const averageTags: Readonly<Record<AverageChoice['kind'], string>> = {
  simple: 'SMA',
  exponencial: 'EMA',
};

/** The name of an average, in the legend and in the table. */
export function averageName({ kind, periods }: AverageChoice): string {
  return `${averageNames[kind]} ${periods}`;
}

/**
 * The lines computed from the first line of a chart. Averages are of all its closes, also those before
 * the range, so that they are right from its first day on. On a line of changes they are changes from the
 * same base.
 */
export function overlaysOf(
  line: ChartLine | undefined,
  {
    averages,
    isWeighted,
    isRebased,
  }: {
    readonly averages: readonly AverageChoice[];
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
    name: averageName(average),
    tag: `${averageTags[average.kind]} ${average.periods}`,
    color: `--average-${at + 1}`,
    isDashed: false,
    points:
      start === undefined || base === undefined
        ? []
        : averageOf(closes, average)
            .filter(({ time }) => time >= start)
            .map(({ time, value }) => ({ time, value: (value / base) * 100 })),
  }));
  const weighted = { name: 'VWAP', tag: 'VWAP', color: '--weighted', isDashed: true };
  return isWeighted ? [...averaged, { ...weighted, points: weightedPrices(line.bars) }] : averaged;
}
