import type { RateLimit } from '../domain/rate-limit.ts';
import { refillMs } from '../domain/rate-limit.ts';

/**
 * The `RateLimit-Policy` field: what a client may do, as a quota `q` of requests in every `w` seconds.
 *
 * A bucket of `burst` tokens has no window of its own. The quota that a client is told is the burst,
 * and the window the time in which a whole burst comes back, rounded up: a client that never sends
 * more than `q` requests in any `w` seconds is never refused.
 *
 * Source: draft-ietf-httpapi-ratelimit-headers-11, with structured fields as of RFC 9651. A plan's
 * name is one that needs no escaping.
 */
export function ratePolicyField(name: string, limit: RateLimit): string {
  const windowSeconds = Math.ceil((limit.burst * refillMs(limit)) / 1_000);
  return `"${name}";q=${limit.burst};w=${windowSeconds}`;
}

/**
 * The `RateLimit` field: that `r` requests are left at this moment, and that in `t` seconds the whole
 * quota is there again.
 */
export function rateLimitField(
  name: string,
  { remaining, fullMs }: { readonly remaining: number; readonly fullMs: number },
): string {
  return `"${name}";r=${remaining};t=${Math.ceil(fullMs / 1_000)}`;
}

/** When to come back, for `Retry-After`: whole seconds, and never at once. */
export function retryAfterSeconds(retryMs: number): number {
  return Math.max(1, Math.ceil(retryMs / 1_000));
}
