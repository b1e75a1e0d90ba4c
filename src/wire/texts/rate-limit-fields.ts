import { refillMs, type RateLimit } from '../../domain/access/rate-limit.ts';

/**
 * The `RateLimit-Policy` field (contract 6.1): a quota of `q` requests in every `w` seconds.
 *
 * A token bucket has no window. The quota is the burst, and the window is the time in which the
 * whole burst refills, rounded up. A client that never sends more than `q` requests in any `w`
 * seconds is never refused.
 *
 * Source: draft-ietf-httpapi-ratelimit-headers-11, with structured fields (RFC 9651). The name of a
 * plan needs no escaping.
 */
export function ratePolicyField(name: string, limit: RateLimit): string {
  const windowSeconds = Math.ceil((limit.burst * refillMs(limit)) / 1_000);
  return `"${name}";q=${limit.burst};w=${windowSeconds}`;
}

/**
 * The `RateLimit` field: `r` requests remain at this moment, and the full quota is available in `t`
 * seconds.
 */
export function rateLimitField(
  name: string,
  { remaining, fullMs }: { readonly remaining: number; readonly fullMs: number },
): string {
  return `"${name}";r=${remaining};t=${Math.ceil(fullMs / 1_000)}`;
}

/** The value of `Retry-After`: whole seconds, at least 1. */
export function retryAfterSeconds(retryMs: number): number {
  return Math.max(1, Math.ceil(retryMs / 1_000));
}
