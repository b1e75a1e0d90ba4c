import type { DailyClose } from '../../../domain/history/daily-close.ts';

/**
 * PostgreSQL would store NaN and infinity. They are no prices.
 *
 * @throws RangeError
 */
export function requireFinite({ close, volume, open, high, low }: DailyClose): void {
  for (const price of [close, volume ?? 0, open ?? 0, high ?? 0, low ?? 0]) {
    if (!Number.isFinite(price)) throw new RangeError(`a close cannot be ${price}`);
  }
}
