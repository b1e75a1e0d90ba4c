import { families, type Family } from './families.ts';
import type { CurvePoint } from './curve-points.ts';

/** Fewer points have no curve of their own. */
const pointsMin = 4;
/** Durations of fewer parts of the axis have no curve: it would swing between two heaps of points. */
const spreadMin = 3;
/** Durations of fewer parts have a line, because a parabola would follow each point. */
const bentMin = 5;
/** The length of a part, in years. */
const partYears = 0.25;

/** The fitted curve of a family. */
export interface FittedCurve {
  readonly family: Family;
  /** The durations of the first and of the last point. */
  readonly from: number;
  readonly to: number;
  /** The yield of the curve at a duration, in percent. */
  readonly rateAt: (duration: number) => number;
}

/**
 * Fits a curve to the yields of each family by least squares: a parabola of the logarithm of the duration or, for few
 * points, a line of it. A parabola of the duration would rise and fall between the last bonds, which are far apart.
 * What is priced in an earlier session is left out.
 */
export function fitCurves(
  points: readonly CurvePoint[],
  rateOf: (point: CurvePoint) => number | undefined = ({ rate }) => rate,
): readonly FittedCurve[] {
  const current = points.filter(({ isEarlier }) => !isEarlier);
  return [...Map.groupBy(current, ({ family }) => family)].flatMap(([family, members]) => {
    const known = members.flatMap((point) => {
      const rate = rateOf(point);
      return rate === undefined ? [] : [{ duration: point.duration, rate }];
    });
    const durations = known.map(({ duration }) => duration);
    const parts = new Set(durations.map((duration) => Math.round(duration / partYears))).size;
    if (known.length < pointsMin || parts < spreadMin) return [];
    const degree = parts < bentMin ? 1 : 2;
    const factors = leastSquares(known, degree);
    return [
      {
        family,
        from: Math.min(...durations),
        to: Math.max(...durations),
        rateAt: (duration) =>
          factors.reduce((sum, factor, power) => sum + factor * Math.log1p(duration) ** power, 0),
      },
    ];
  });
}

/**
 * The yield of a bond at its previous close. Undefined if its price is not in dollars or has no change, and for
 * a short duration.
 */
export function previousRate({
  rate,
  duration,
  bond,
  change,
  family,
}: CurvePoint): number | undefined {
  // The interest of a day is small beside the change of the price only of what is paid in dollars.
  const isPaidInDollars = families[family].kind === 'dolares' && family !== 'linked';
  const isInDollars = isPaidInDollars && bond.tipoCambio === null;
  if (!isInDollars || change === undefined || duration < durationMin) return undefined;
  // The price changes by the duration times the change of the yield. A day of interest is less than can be seen.
  return rate + change / duration;
}

/** With a shorter duration, a tick of the price moves the yield by more than the curve. */
const durationMin = 0.25;

/** The factors of the polynomial of `log(1 + duration)` with the least squares of distances, from the constant on. */
function leastSquares(
  known: readonly { readonly duration: number; readonly rate: number }[],
  degree: number,
): readonly number[] {
  const size = degree + 1;
  const sum = (term: (one: (typeof known)[number]) => number) =>
    known.reduce((total, one) => total + term(one), 0);
  // The normal equations, each with its right side at the end.
  const rows = Array.from({ length: size }, (_, row) => [
    ...Array.from({ length: size }, (__, column) =>
      sum(({ duration }) => Math.log1p(duration) ** (row + column)),
    ),
    sum(({ duration, rate }) => rate * Math.log1p(duration) ** row),
  ]);
  for (const [at, pivot] of rows.entries()) {
    const first = pivot[at] ?? 1;
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = (row[at] ?? 0) / first;
      rows[other] = row.map((value, column) => value - factor * (pivot[column] ?? 0));
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}
