import type { onRequestHookHandler } from 'fastify';

import { setHeaders } from './answer.ts';
import { addVary } from './vary.ts';

/** What scripts of an allowed origin may send besides what every script may. */
const requestHeaders =
  'authorization, cache-control, if-modified-since, if-none-match, last-event-id';

/** What they may read of an answer besides what every script may. */
const exposedHeaders =
  'data-source, etag, missing-especies, ratelimit, ratelimit-policy, retry-after, www-authenticate';

/** As long as any browser remembers it (Chromium's limit), in seconds. */
const preflightMaxAge = '7200';

/**
 * What every answer depends on where origins are named: also one to a request without an origin, for
 * what a cache holds must not be given to a script that has none.
 */
export const corsVary = 'Origin';

/** What lets scripts of an origin read an answer: names and values of headers, in turn. */
export function corsHeaders(
  allowed: ReadonlySet<string>,
  origin: string | undefined,
): readonly string[] {
  if (origin === undefined || !allowed.has(origin)) return [];
  return ['access-control-allow-origin', origin, 'access-control-expose-headers', exposedHeaders];
}

/**
 * Lets scripts of the named origins read answers, errors as well, which is why it comes before anything
 * that may refuse. Without it no script of another origin can read anything.
 *
 * A preflight carries no key, by the Fetch standard, so one of an allowed origin is answered without.
 * All others go the way of every request without a key.
 */
export function corsHook(allowed: ReadonlySet<string>): onRequestHookHandler {
  return (request, reply, done) => {
    addVary(reply, corsVary);
    const granted = corsHeaders(allowed, request.headers.origin);
    setHeaders(reply, granted);
    const isPreflight =
      granted.length > 0 &&
      request.method === 'OPTIONS' &&
      request.headers['access-control-request-method'] !== undefined;
    if (!isPreflight) return done();
    void reply
      .code(204)
      .header('access-control-allow-methods', 'GET, HEAD')
      .header('access-control-allow-headers', requestHeaders)
      .header('access-control-max-age', preflightMaxAge)
      .send();
  };
}
