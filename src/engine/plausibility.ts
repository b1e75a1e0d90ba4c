import type { KindRules } from '../domain/instruments/instrument.ts';
import { hasBook, type Update } from '../domain/quotes/update.ts';

/** Why an update was refused. The names appear in metrics and in the report of a push. */
export type RefusalReason =
  | 'unknown-ticker'
  | 'derived'
  | 'empty'
  | 'not-finite'
  | 'not-positive'
  | 'negative-volume'
  | 'negative-quantity'
  | 'not-whole'
  | 'in-future'
  | 'before-1990'
  | 'too-old'
  | 'implausible'
  | 'no-last';

/** Maximum time that a source's clock may be ahead of the service's. */
const futureToleranceMs = 60_000;

/**
 * Earlier instants are placeholders and mistakes of unit: the year 0001, an instant of 0, seconds that
 * are read as milliseconds.
 */
const earliestInstant = Date.UTC(1990, 0, 1);

/**
 * The reason why an update cannot be true, or undefined when it is plausible. The book is not checked here:
 * `readBook` checks each of its fields separately.
 */
export function implausibility(
  update: Update,
  { isPrice }: KindRules,
  now: number,
): RefusalReason | undefined {
  const { at, last, open, high, low, previousClose, close, volume } = update;
  const instant = implausibleInstant(at, now);
  if (instant !== undefined) return instant;
  let isEmpty = volume === undefined;
  if (volume !== undefined) {
    if (!Number.isFinite(volume)) return 'not-finite';
    if (volume < 0) return 'negative-volume';
  }
  // The fields are listed, because iterating over all keys of every update would cost more.
  for (const price of [last, open, high, low, previousClose, close]) {
    if (price === undefined) continue;
    if (!Number.isFinite(price)) return 'not-finite';
    if (isPrice && price <= 0) return 'not-positive';
    isEmpty = false;
  }
  return isEmpty && !hasBook(update) ? 'empty' : undefined;
}

/** The reason why an instant cannot be true, or undefined when it is plausible. */
export function implausibleInstant(at: number, now: number): RefusalReason | undefined {
  if (!Number.isFinite(at)) return 'not-finite';
  if (at > now + futureToleranceMs) return 'in-future';
  return at < earliestInstant ? 'before-1990' : undefined;
}
