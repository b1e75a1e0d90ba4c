import type { onRequestHookHandler } from 'fastify';

/**
 * The headers of every answer. Quotes are for the holder of a key (`private`) and change at any
 * moment, so a cache must ask before it uses one again (`no-cache`).
 */
export const standingHeaders = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
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
