import type { Bar } from '../../domain/quotes/minute-bar.ts';

/** What the minutes of a session must agree with. */
export interface SessionFigures {
  readonly close: number;
  /** Null where the session has no volume. */
  readonly volume: number | null;
  /** Absent where it is not known. */
  readonly open?: number | undefined;
  readonly high?: number | undefined;
  readonly low?: number | undefined;
}

/**
 * Moves the minutes of a session, so that they agree with its daily figures: the first one opens at the open,
 * the last one ends at the close, the highest and the lowest price are the high and the low, and the volumes
 * add up to the volume. The shape of the path stays.
 *
 * @param bars ascending, each one opens with the last price of the one before.
 * @param rounded rounds a price as the instrument's prices are.
 */
export function fitBars(
  bars: readonly Bar[],
  figures: SessionFigures,
  rounded: (price: number) => number,
): readonly Bar[] {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return bars;
  const { close, open = first.open + close - last.last } = figures;
  // The open and the close are met by moving each price by a part that changes evenly over the session.
  const atOpen = open - first.open;
  const atClose = close - last.last;
  const moved = [first.open, ...bars.map((bar) => bar.last)].map(
    (price, index) => price + atOpen + ((atClose - atOpen) * index) / bars.length,
  );
  const fit = withinRange(moved, { open, close, high: figures.high, low: figures.low });
  const prices = moved.map((price, index) => {
    if (index === 0) return open;
    return index === bars.length ? close : rounded(fit(price));
  });
  const volumes = fitVolumes(bars, figures.volume);
  const fitted = bars.map((bar, index) => {
    const [from = Number.NaN, to = Number.NaN] = [prices[index], prices[index + 1]];
    return {
      ...bar,
      open: from,
      high: Math.max(from, to),
      low: Math.min(from, to),
      last: to,
      volume: volumes?.[index] ?? null,
    };
  });
  return withExtremes(fitted, figures);
}

/**
 * Gives the function that moves the prices beyond open and close, so that the highest becomes the high and
 * the lowest the low.
 */
function withinRange(
  prices: readonly number[],
  { open, close, high, low }: Omit<SessionFigures, 'volume'> & { readonly open: number },
): (price: number) => number {
  const [upper, lower] = [Math.max(open, close), Math.min(open, close)];
  const above = Math.max(...prices) - upper;
  const below = lower - Math.min(...prices);
  const up = high === undefined || above <= 0 ? 1 : (high - upper) / above;
  const down = low === undefined || below <= 0 ? 1 : (lower - low) / below;
  return (price) => {
    if (price > upper) return upper + (price - upper) * up;
    return price < lower ? lower - (lower - price) * down : price;
  };
}

/** Lets the highest minute reach the high, and the lowest one the low. Rounding may have kept them from it. */
function withExtremes(
  bars: readonly Bar[],
  { high = Number.NaN, low = Number.NaN }: SessionFigures,
): readonly Bar[] {
  const highest = bars.reduce((best, bar) => (bar.high > best.high ? bar : best));
  const lowest = bars.reduce((best, bar) => (bar.low < best.low ? bar : best));
  return bars.map((bar) => ({
    ...bar,
    high: bar === highest && high > bar.high ? high : bar.high,
    low: bar === lowest && low < bar.low ? low : bar.low,
  }));
}

/** The volumes in the proportion of those of the minutes. */
function fitVolumes(bars: readonly Bar[], volume: number | null): readonly number[] | undefined {
  if (volume === null) return undefined;
  const total = bars.reduce((sum, bar) => sum + (bar.volume ?? 0), 0);
  let traded = 0;
  let given = 0;
  return bars.map((bar, index) => {
    traded += bar.volume ?? 0;
    const isLast = index === bars.length - 1;
    const upTo = isLast ? volume : total === 0 ? 0 : Math.floor((volume * traded) / total);
    const own = upTo - given;
    given = upTo;
    return own;
  });
}
