/** Requests of the plan that are left to the other requests of the feed. */
const reserved = 2;

/** The longest wait for a plan to refill, in seconds. */
const restSecondsMax = 60;

/**
 * How long to wait before the next of many requests, in milliseconds, by the field `RateLimit` of a response:
 * the remaining requests `r` and the seconds `t` until there are more. 0 without a limit.
 */
export function restMs(rateLimit: string | undefined): number {
  const items = rateLimit?.split(',') ?? [];
  const rests = items.map((item) => {
    const remaining = numberOf(item, 'r');
    const seconds = numberOf(item, 't');
    if (remaining === undefined || remaining > reserved) return 0;
    return Math.min(seconds ?? 1, restSecondsMax) * 1_000;
  });
  return Math.max(0, ...rests);
}

function numberOf(item: string, name: string): number | undefined {
  const value = new RegExp(`;\\s*${name}=(\\d{1,9})(?:;|\\s|$)`).exec(item)?.[1];
  return value === undefined ? undefined : Number(value);
}
