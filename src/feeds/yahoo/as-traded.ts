import { moveWith } from '../../domain/history/action-evidence.ts';
import type { UnitAction } from '../../domain/history/corporate-action.ts';
import { unitFactor } from '../../domain/history/corporate-actions.ts';
import { lastEpochDay, toEpochDay } from '../../domain/calendar/plain-date.ts';
import { withoutBinaryError } from '../../domain/values/rounding.ts';
import { isPrice } from '../shapes/as-record.ts';
import type { SentBar } from '../net/daily-bars.ts';

/**
 * The bars as they were traded: prices that the source divided by the factors of later splits are
 * multiplied by them, and volumes divided. The source has not adjusted some splits of BYMA. These are
 * recognised by their bars, which move with the split, and nothing is undone.
 *
 * @param bars ascending by date
 */
export function asTraded(
  bars: readonly SentBar[],
  splits: readonly UnitAction[],
): readonly SentBar[] {
  const adjusted = splits.filter((split) => !isVisible(bars, split));
  if (adjusted.length === 0) return bars;
  return bars.map((bar) => {
    if (bar.date === undefined) return bar;
    const factor = unitFactor(adjusted, { from: toEpochDay(bar.date), to: lastEpochDay });
    if (factor === 1) return bar;
    const times = (value: unknown): unknown =>
      isPrice(value) ? withoutBinaryError(value * factor) : value;
    const { open, high, low, close, volume } = bar;
    return {
      date: bar.date,
      open: times(open),
      high: times(high),
      low: times(low),
      close: times(close),
      volume: isPrice(volume) ? withoutBinaryError(volume / factor) : volume,
    };
  });
}

/** Whether the closes around a split move by its factor rather than stay. */
function isVisible(bars: readonly SentBar[], { exDay, factor }: UnitAction): boolean {
  const priced = bars.filter(({ date, close }) => date !== undefined && isPrice(close));
  const isAfter = ({ date }: SentBar): boolean => date !== undefined && toEpochDay(date) >= exDay;
  const [before, after] = [priced.findLast((bar) => !isAfter(bar)), priced.find(isAfter)];
  if (before === undefined || after === undefined) return false;
  return moveWith(Number(before.close), Number(after.close), factor) === 'moved';
}
