import type { InstrumentKind } from '../../instruments/instrument.ts';
import { decimalsOf } from '../../values/same-price.ts';
import type { Doubt } from './judgement.ts';
import { isBeyondSessionBound, type PriceOfDay } from './move.ts';

/** A price of a day with what is known of its session. */
export interface BarOfDay extends PriceOfDay {
  readonly open?: number | undefined;
  readonly high?: number | undefined;
  readonly low?: number | undefined;
  readonly volume?: number | null | undefined;
}

/** Maximum relative error of prices that were stored in single precision. */
const singlePrecision = 2 ** -22;

/** The doubt about a bar that contradicts itself or repeats the bar before, or undefined. */
export function contradictionIn(
  bar: BarOfDay,
  { kind, before }: { readonly kind: InstrumentKind; readonly before: BarOfDay | undefined },
): Doubt | undefined {
  if (isOutOfRange(bar)) return 'out-of-range';
  const { close, open, high, low } = bar;
  const isFar = (side: number | undefined): boolean =>
    side !== undefined && isBeyondSessionBound(kind, side, close);
  if (isFar(open) || isFar(high) || isFar(low)) return 'wide-range';
  return before !== undefined && before.day < bar.day && repeats(bar, before)
    ? 'repeated-session'
    : undefined;
}

/**
 * Whether a close is outside its own low and high by more than rounding: half a unit of the last decimal
 * of the prices of the range, or the error of single precision.
 */
function isOutOfRange({ close, open, high, low }: BarOfDay): boolean {
  const isWithin = (high === undefined || close <= high) && (low === undefined || close >= low);
  if (isWithin) return false;
  const range = [open, high, low].filter((side) => side !== undefined);
  const decimals = Math.max(...range.map(decimalsOf));
  const rounding = Math.max(0.5 / 10 ** decimals, Math.abs(close) * singlePrecision);
  return (
    (high !== undefined && close > high + rounding) || (low !== undefined && close < low - rounding)
  );
}

/** Whether a bar has the price, the range and the volume of another one, and all of them are known. */
export function repeats(bar: BarOfDay, other: BarOfDay): boolean {
  const { close, high, low, volume } = bar;
  if (high === undefined || low === undefined || !volume) return false;
  return (
    close === other.close && high === other.high && low === other.low && volume === other.volume
  );
}
