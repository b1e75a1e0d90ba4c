import type { onResponseHookHandler } from 'fastify';

import type { Log } from '../lib/log.ts';
import { pathOf } from './request-target.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the access log is to leave its answer out. */
    isUnlogged?: boolean;
  }
}

/**
 * One line per answer. The key's id is in it and the key is not, nor is the query: people paste keys
 * into URLs by mistake, and a log is copied to more places than anyone remembers.
 *
 * A client that is refused again and again for asking too much has a line now and then, as
 * `RateLimits` says: else whoever is to cost nothing could fill a disk.
 */
export function accessLogHook(log: Log): onResponseHookHandler {
  return (request, reply, done) => {
    if (request.isUnlogged) return done();
    const details = {
      keyId: request.apiKey?.id,
      remote: request.ip,
      method: request.method,
      path: pathOf(request.raw.url ?? ''),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
    };
    log.info(details, 'answered');
    done();
  };
}
