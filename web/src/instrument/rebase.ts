import type { HistoryRow } from '../api/quote.ts';

/** One point of a line. */
export interface Point {
  readonly time: string;
  readonly value: number;
}

/** The unchanged closes from a day on. */
export function pricePoints(rows: readonly HistoryRow[], from: string): readonly Point[] {
  return rows
    .filter(({ fecha }) => fecha >= from)
    .map(({ fecha, ultimo }) => ({ time: fecha, value: ultimo }));
}

/**
 * Several series, rebased to 100 on the first day on which all of them have started, so that they
 * can be compared. A series whose base is not above zero cannot be rebased and is empty.
 */
export function rebasedPoints(
  series: readonly (readonly HistoryRow[])[],
  from: string,
): readonly (readonly Point[])[] {
  const starts = series.map((rows) => rows.find(({ fecha }) => fecha >= from)?.fecha);
  const common = starts.reduce<string>((latest, one) => (one && one > latest ? one : latest), from);
  return series.map((rows) => {
    const points = pricePoints(rows, common);
    const base = points[0]?.value ?? 0;
    if (base <= 0) return [];
    return points.map(({ time, value }) => ({ time, value: (value / base) * 100 }));
  });
}
