import type { Bar, ChartTime } from './bars.ts';

/** One point of a line. */
export interface Point {
  readonly time: ChartTime;
  readonly value: number;
}

/** The unchanged closes from a time on. */
export function pricePoints(bars: readonly Bar[], from: ChartTime): readonly Point[] {
  return bars.filter(({ time }) => time >= from).map(({ time, close }) => ({ time, value: close }));
}

/** The first time, from `from` on, at which all series have started. */
export function commonStart(series: readonly (readonly Bar[])[], from: ChartTime): ChartTime {
  return series
    .map((bars) => bars.find(({ time }) => time >= from)?.time)
    .reduce<ChartTime>((latest, one) => (one !== undefined && one > latest ? one : latest), from);
}

/**
 * Several series, rebased to 100 at their {@link commonStart}, so that they can be compared. A series
 * whose base is not above zero cannot be rebased and is empty.
 */
export function rebasedPoints(
  series: readonly (readonly Bar[])[],
  from: ChartTime,
): readonly (readonly Point[])[] {
  const common = commonStart(series, from);
  return series.map((bars) => {
    const points = pricePoints(bars, common);
    const base = points[0]?.value ?? 0;
    if (base <= 0) return [];
    return points.map(({ time, value }) => ({ time, value: (value / base) * 100 }));
  });
}
