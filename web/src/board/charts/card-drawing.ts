import type { Bar } from '../../chart/drawing/bars.ts';
import { formatDay } from '../../market/format/numbers.ts';
import { stepTime, type SessionPath } from '../../market/session-path.ts';

/** What a card draws. */
export interface CardSeries {
  /** The prices from left to right. Null for a step of a session without a price. */
  readonly prices: readonly (number | null)[];
  /** The price from which changes are counted: the previous close, or the first close of a range. */
  readonly base: number | undefined;
  /** The steps of the whole session, if it goes on. */
  readonly steps?: number;
  /** The times of the first and of the last step: of the session, or its days. */
  readonly from: string;
  readonly to: string;
}

/** The path of a session, with the close before it and the steps of the whole session. */
export function sessionCard(
  path: SessionPath,
  previous: number | undefined,
  whole: number,
): CardSeries {
  const steps = Math.max(path.prices.length, whole);
  return {
    prices: path.prices,
    base: previous,
    steps,
    from: stepTime(path, 0),
    to: stepTime(path, Math.max(0, steps - 1)),
  };
}

/** The closes of a range. */
export function rangeCard(bars: readonly Bar[]): CardSeries {
  return {
    prices: bars.map(({ close }) => close),
    base: bars[0]?.close,
    from: formatDay(bars[0]?.day ?? ''),
    to: formatDay(bars.at(-1)?.day ?? ''),
  };
}

/** The figures of the drawn prices. */
export interface CardFigures {
  readonly low: number;
  readonly high: number;
  /** The change from the base to the last price, in percent. Undefined if the base is not above zero. */
  readonly changePct: number | undefined;
}

/** The figures of a card. Undefined without a price. */
export function figuresOf({ prices, base }: CardSeries): CardFigures | undefined {
  const known = prices.filter((price) => price !== null);
  const last = known.at(-1);
  if (last === undefined) return undefined;
  return {
    low: known.reduce((low, price) => Math.min(low, price)),
    high: known.reduce((high, price) => Math.max(high, price)),
    changePct: base === undefined || base <= 0 ? undefined : (last / base - 1) * 100,
  };
}

/** The line of a drawing, closed at the bottom of its box, so that it can be filled. */
export function areaOf(line: string, height: number): string {
  const [, firstX] = /^M([\d.]+),/.exec(line) ?? [];
  return firstX === undefined ? '' : `${line}V${height}H${firstX}Z`;
}
