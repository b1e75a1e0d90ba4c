import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Log } from '../lib/log.ts';
import { pathOf } from './request-target.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the access log is to leave its answer out. */
    isUnlogged?: boolean;
  }
}

/** Which answers are logged. */
export type AccessLog = 'all' | 'refused' | 'off';

/**
 * Logs a line per answer, or only for those that refuse something (400 and above). The key's id is in
 * it and the key is not, nor is the query: people paste keys into URLs by mistake, and a log is
 * copied to more places than anyone remembers.
 *
 * A client that is refused again and again for asking too much has a line now and then, as
 * `RateLimits` says: else whoever is to cost nothing could fill a disk.
 *
 * A line takes 4 µs and what the system needs to write it, a quarter of what a poll takes.
 */
export function addAccessLog(app: FastifyInstance, log: Log, which: AccessLog): void {
  if (which === 'off') return;
  const statusMin = which === 'refused' ? 400 : 0;
  app.addHook('onResponse', (request, reply, done) => {
    const isLogged = reply.statusCode >= statusMin && request.isUnlogged !== true;
    if (isLogged) log.info(detailsOf(request, reply), 'answered');
    done();
  });
}

function detailsOf(request: FastifyRequest, reply: FastifyReply): object {
  return {
    keyId: request.apiKey?.id,
    remote: request.ip,
    method: request.method,
    path: pathOf(request.raw.url ?? ''),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 1000) / 1000,
  };
}
