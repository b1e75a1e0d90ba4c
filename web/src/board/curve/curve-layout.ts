import type { CurvePoint } from './curve-points.ts';
import type { Box } from './place-labels.ts';

/** The room around the points for the axes, in pixels. */
const room = { left: 52, right: 14, top: 24, bottom: 38 };

/** The pixels of one step of an axis, at least. */
const stepPx = { across: 90, down: 56 };

/** A point with its place, in pixels. */
export interface PlacedPoint {
  readonly point: CurvePoint;
  readonly x: number;
  readonly y: number;
}

/** The axes of a curve. */
export interface Axes {
  /** The modified duration, in years. */
  readonly across: Scale;
  /** The yield, in percent. */
  readonly down: Scale;
}

export interface CurveLayout extends Axes {
  /** The place of the points, without the room of the axes. */
  readonly area: Box;
  readonly placed: readonly PlacedPoint[];
  readonly xOf: (duration: number) => number;
  readonly yOf: (rate: number) => number;
}

/** The points whose yields are not far from all others, which would flatten the rest. */
export function usualPoints(points: readonly CurvePoint[]): readonly CurvePoint[] {
  const byFamily = Map.groupBy(points, ({ family }) => family);
  const groups = [...byFamily.values()].map((group) => group.map(({ rate }) => rate));
  const [least, greatest] = usualRange(groups);
  return points.filter(({ rate }) => rate >= least && rate <= greatest);
}

/**
 * Places points in a frame.
 *
 * @param before the axes of the last layout, which stay as long as they fit.
 */
export function layoutCurve(
  points: readonly CurvePoint[],
  { width, height }: { readonly width: number; readonly height: number },
  before: Axes | undefined,
): CurveLayout {
  const rates = points.map(({ rate }) => rate);
  const [least, greatest] = [Math.min(...rates), Math.max(...rates)];
  const longest = Math.max(...points.map(({ duration }) => duration), 0.5);
  const [wide, high] = [width - room.left - room.right, height - room.top - room.bottom];
  const nextAcross = roundScale([0, longest], Math.max(2, wide / stepPx.across));
  const nextDown = roundScale([least, greatest], Math.max(2, high / stepPx.down));
  const across = steadyScale(before?.across, nextAcross);
  const down = steadyScale(before?.down, nextDown);
  const xOf = (duration: number) =>
    room.left + ((duration - across.from) / (across.to - across.from)) * wide;
  const yOf = (rate: number) => room.top + ((down.to - rate) / (down.to - down.from)) * high;
  return {
    across,
    down,
    placed: points.map((point) => ({ point, x: xOf(point.duration), y: yOf(point.rate) })),
    area: {
      left: room.left,
      top: room.top,
      right: width - room.right,
      bottom: height - room.bottom,
    },
    xOf,
    yOf,
  };
}

/** The values that an axis shows, with its marks. */
interface Scale {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

/** Fewer values than this have no outliers. */
const countMin = 5;

/**
 * The least and the greatest of the values of some groups that are no outliers. An outlier is further from the
 * middle half of all values than one and a half times its width (Tukey), and as far from that of its own group, if
 * this has values enough. So a group far from the others is not left out as a whole.
 */
export function usualRange(groups: readonly (readonly number[])[]): readonly [number, number] {
  const isUsual = fenceOf(groups.flat());
  const usual = groups.flatMap((group) => {
    const isUsualHere = group.length < countMin ? isUsual : fenceOf(group);
    return group.filter((value) => isUsual(value) || isUsualHere(value));
  });
  return usual.length === 0 ? [0, 0] : [Math.min(...usual), Math.max(...usual)];
}

/** Tells whether a value is no outlier among others. */
function fenceOf(values: readonly number[]): (value: number) => boolean {
  if (values.length < countMin) return () => true;
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const reach = (high - low) * 1.5;
  return (value) => value >= low - reach && value <= high + reach;
}

function quantile(sorted: readonly number[], part: number): number {
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)] ?? 0;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}

/** A scale of round numbers around a range, with about `count` steps. */
export function roundScale([least, greatest]: readonly [number, number], count: number): Scale {
  const span = greatest - least || Math.max(1, Math.abs(greatest) / 5);
  const step = roundStep(span / Math.max(1, count));
  const from = Math.floor(least / step) * step;
  const to = Math.max(from + step, Math.ceil(greatest / step) * step);
  const ticks = Array.from({ length: Math.round((to - from) / step) + 1 }, (_one, at) =>
    // Sums of decimal steps are not exact.
    Number((from + at * step).toPrecision(12)),
  );
  return { from, to, ticks };
}

/** The least of 1, 2 and 5 times a power of ten that is not below a number. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/**
 * The scale after a change of the values: the one before, while it has all of them and is not much too wide, so
 * that an axis does not jump with each price.
 */
export function steadyScale(before: Scale | undefined, next: Scale): Scale {
  if (before === undefined) return next;
  const hasAll = before.from <= next.from && before.to >= next.to;
  const isTight = before.to - before.from <= (next.to - next.from) * 1.6;
  return hasAll && isTight ? before : next;
}
