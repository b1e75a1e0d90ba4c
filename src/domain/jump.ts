import { rulesOf } from './instrument.ts';
import type { Quote } from './quote.ts';

/**
 * Whether a session has been further from the previous close than its instrument's kind usually
 * goes. It is never refused for that (12 August 2019 was real), only worth a look. The range of the
 * session counts and not only the last price, so that a price which was corrected at once is seen
 * too. A previous close that is too old to compare with makes no jump.
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
