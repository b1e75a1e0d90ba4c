import type { KindRules } from '../domain/instrument.ts';
import type { Update } from '../domain/update.ts';

/** Why an update was refused; names for metrics and for the report to the client that pushed it. */
export type RefusalReason =
  | 'unknown-ticker'
  | 'derived'
  | 'empty'
  | 'not-finite'
  | 'not-positive'
  | 'negative-volume'
  | 'in-future'
  | 'before-1970'
  | 'no-last';

/** Furthest that a source's clock may run ahead of ours. */
const futureToleranceMs = 60_000;

/** Why an update cannot be true, or undefined when it can. */
export function implausibility(
  update: Update,
  { isPrice }: KindRules,
  now: number,
): RefusalReason | undefined {
  const { at, last, open, high, low, previousClose, close, volume } = update;
  if (!Number.isFinite(at)) return 'not-finite';
  if (at > now + futureToleranceMs) return 'in-future';
  if (at < 0) return 'before-1970';
  let isEmpty = volume === undefined;
  if (volume !== undefined) {
    if (!Number.isFinite(volume)) return 'not-finite';
    if (volume < 0) return 'negative-volume';
  }
  // Written out, not looped over: this runs for every update.
  for (const price of [last, open, high, low, previousClose, close]) {
    if (price === undefined) continue;
    if (!Number.isFinite(price)) return 'not-finite';
    if (isPrice && price <= 0) return 'not-positive';
    isEmpty = false;
  }
  return isEmpty ? 'empty' : undefined;
}
