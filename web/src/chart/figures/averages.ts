import type { AverageChoice } from '../../places/chart-choices.ts';
import type { Point } from '../drawing/rebase.ts';

/**
 * A moving average of a line. Its first value is at the point with which its first window is full, so
 * no value rests on fewer points than its name says.
 */
export function averageOf(
  points: readonly Point[],
  { kind, periods }: AverageChoice,
): readonly Point[] {
  const values = points.map(({ value }) => value);
  const averages = kind === 'simple' ? simple(values, periods) : exponential(values, periods);
  return points.slice(periods - 1).map(({ time }, at) => ({ time, value: averages[at] ?? 0 }));
}

/** The mean of each window of consecutive values. */
function simple(values: readonly number[], periods: number): readonly number[] {
  let sum = 0;
  const averages: number[] = [];
  for (let end = periods; end <= values.length; end += 1) {
    // A sum that only slides collects rounding errors, so each new window after `periods` is summed anew.
    sum =
      end % periods === 0
        ? sumOf(values.slice(end - periods, end))
        : sum + (values[end - 1] ?? 0) - (values[end - 1 - periods] ?? 0);
    averages.push(sum / periods);
  }
  return averages;
}

/**
 * Each value has the weight 2 ÷ (periods + 1), and the average before it the rest. The first one is the
 * mean of the first window.
 */
function exponential(values: readonly number[], periods: number): readonly number[] {
  if (values.length < periods) return [];
  const weight = 2 / (periods + 1);
  let average = sumOf(values.slice(0, periods)) / periods;
  return [
    average,
    ...values.slice(periods).map((value) => {
      average += weight * (value - average);
      return average;
    }),
  ];
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
