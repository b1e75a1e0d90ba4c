import type { KindRules } from '../domain/instrument.ts';
import type { Update } from '../domain/update.ts';

/** Why an update was refused. The names appear in metrics and in the report of a push. */
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

/** Maximum time that a source's clock may be ahead of the service's. */
const futureToleranceMs = 60_000;

/** The reason why an update cannot be true, or undefined when it is plausible. */
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
  // The fields are listed, because iterating over all keys of every update would cost more.
  for (const price of [last, open, high, low, previousClose, close]) {
    if (price === undefined) continue;
    if (!Number.isFinite(price)) return 'not-finite';
    if (isPrice && price <= 0) return 'not-positive';
    isEmpty = false;
  }
  return isEmpty ? 'empty' : undefined;
}
