import type { onRequestHookHandler } from 'fastify';

/** What scripts of an allowed origin may send besides what every script may. */
const requestHeaders =
  'authorization, cache-control, if-modified-since, if-none-match, last-event-id';

/** What they may read of an answer besides what every script may. */
const exposedHeaders =
  'data-source, etag, missing-especies, ratelimit, ratelimit-policy, retry-after, www-authenticate';

/** As long as any browser remembers it (Chromium's limit), in seconds. */
const preflightMaxAge = '7200';

/**
 * Lets scripts of the named origins read answers, errors as well, which is why it comes before anything
 * that may refuse. Without it no script of another origin can read anything.
 *
 * A preflight carries no key, by the Fetch standard, so one of an allowed origin is answered without.
 * All others go the way of every request without a key.
 */
export function corsHook(origins: readonly string[]): onRequestHookHandler {
  const allowed = new Set(origins);
  return (request, reply, done) => {
    const { origin } = request.headers;
    // Also without an origin: what a cache holds must not be given to one that has none.
    void reply.header('vary', 'Origin');
    if (origin === undefined || !allowed.has(origin)) return done();
    void reply.header('access-control-allow-origin', origin);
    void reply.header('access-control-expose-headers', exposedHeaders);
    const isPreflight =
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
