import type { CurvePoint } from './curve-points.ts';
import type { Box } from './place-labels.ts';
import { roundScale, steadyScale, usualRange, type Scale } from './scale.ts';

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
