import type { onRequestHookHandler } from 'fastify';

/** For a year, a browser that was here asks over TLS only (RFC 6797). */
export const transportSecurity = { 'strict-transport-security': 'max-age=31536000' } as const;

/**
 * Says so where a proxy ends TLS, and said that it did: over plain HTTP it would mean nothing (RFC
 * 6797 7.2).
 */
export const transportSecurityHook: onRequestHookHandler = (request, reply, done) => {
  if (request.protocol === 'https') void reply.headers(transportSecurity);
  done();
};
