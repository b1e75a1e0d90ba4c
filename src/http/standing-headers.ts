import type { onRequestHookHandler } from 'fastify';

/**
 * The headers of every answer. Quotes are for the holder of a key (`private`) and change at any
 * moment, so a cache must ask before it uses one again (`no-cache`). Nothing here is a page (those of
 * the playground say otherwise), so a browser that is led to take one for a page may do nothing with
 * it.
 */
export const standingHeaders = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** Gives every answer the standing headers, whoever sends it later. */
export function standingHeadersHook(
  extra: Readonly<Record<string, string>> = {},
): onRequestHookHandler {
  const all = Object.entries({ ...standingHeaders, ...extra });
  return (_request, reply, done) => {
    for (const [name, value] of all) void reply.header(name, value);
    done();
  };
}
