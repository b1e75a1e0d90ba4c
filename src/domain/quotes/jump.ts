import { rulesOf } from '../instruments/instrument.ts';
import type { Quote } from './quote.ts';

/**
 * Whether a session moved further from the previous close than is usual for the instrument's kind.
 * A jump is reported for review, never refused: real markets jump (Argentina, 12 August 2019). The
 * high and the low count as well as the last price, so a wrong price that was corrected at once is
 * still reported. A quote whose previous close is too old to compare with is no jump.
 */
export function isJump({ instrument, previousClose, change, last, high, low }: Quote): boolean {
  if (change === null || previousClose === undefined || previousClose === 0) return false;
  const furthest = Math.max(
    Math.abs((high ?? last) - previousClose),
    Math.abs((low ?? last) - previousClose),
    Math.abs(last - previousClose),
  );
  return (furthest / Math.abs(previousClose)) * 100 > rulesOf(instrument).jumpLimitPct;
}
