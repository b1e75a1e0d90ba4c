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

/**
 * Several series, rebased to 100 at the first time at which all of them have started, so that they
 * can be compared. A series whose base is not above zero cannot be rebased and is empty.
 */
export function rebasedPoints(
  series: readonly (readonly Bar[])[],
  from: ChartTime,
): readonly (readonly Point[])[] {
  const starts = series.map((bars) => bars.find(({ time }) => time >= from)?.time);
  const common = starts.reduce<ChartTime>(
    (latest, one) => (one !== undefined && one > latest ? one : latest),
    from,
  );
  return series.map((bars) => {
    const points = pricePoints(bars, common);
    const base = points[0]?.value ?? 0;
    if (base <= 0) return [];
    return points.map(({ time, value }) => ({ time, value: (value / base) * 100 }));
  });
}
