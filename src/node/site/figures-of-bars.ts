import type { Bar } from '../../domain/quotes/minute-bar.ts';

/** The daily figures of a session. */
export interface FiguresOfBars {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Null where the instrument has no volume. */
  readonly volume: number | null;
}

/**
 * The daily figures that the minutes of a session add up to.
 *
 * @param bars ascending, at least one.
 */
export function figuresOf(bars: readonly Bar[]): FiguresOfBars {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) throw new Error('no bar');
  return {
    open: first.open,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    close: last.last,
    volume: last.volume === null ? null : bars.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
  };
}
