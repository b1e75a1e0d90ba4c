import type { onResponseHookHandler } from 'fastify';

import type { Log } from '../lib/log.ts';
import { pathOf } from './request-target.ts';

/**
 * One line per answer. The key's id is in it and the key is not, nor is the query: people paste keys
 * into URLs by mistake, and a log is copied to more places than anyone remembers.
 */
export function accessLogHook(log: Log): onResponseHookHandler {
  return (request, reply, done) => {
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
