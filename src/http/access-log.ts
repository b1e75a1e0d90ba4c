import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Log } from '../lib/log.ts';
import { methodOf } from './request-method.ts';
import { pathOf } from './request-target.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the access log is to leave its answer out. */
    isUnlogged?: boolean;
  }
}

/** A method is any token, of any length. */
const loggedMethodLengthMax = 32;

/** Which answers are logged. */
export type AccessLog = 'all' | 'refused' | 'off';

/** What is logged of an answer. */
export interface AccessLine {
  readonly keyId: string | undefined;
  readonly remote: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/**
 * Logs a line per answer, or only for those that refuse something (400 and above). The key's id is in
 * it and the key is not, nor is the query: people paste keys into URLs by mistake, and a log is
 * copied to more places than anyone remembers.
 *
 * A client that is refused again and again for asking too much has a line now and then, as
 * `RateLimits` says: else whoever is to cost nothing could fill a disk.
 *
 * A line takes 4 µs and what the system needs to write it. With one for each, all answers come the
 * framework's way, so that a poll takes three times as long.
 */
export function addAccessLog(app: FastifyInstance, log: Log, which: AccessLog): void {
  if (which === 'off') return;
  const statusMin = which === 'refused' ? 400 : 0;
  app.addHook('onResponse', (request, reply, done) => {
    const isLogged = reply.statusCode >= statusMin && request.isUnlogged !== true;
    if (isLogged) logAnswer(log, lineOf(request, reply));
    done();
  });
}

function lineOf(request: FastifyRequest, reply: FastifyReply): AccessLine {
  return {
    keyId: request.apiKey?.id,
    remote: request.ip,
    method: methodOf(request.raw).slice(0, loggedMethodLengthMax),
    path: pathOf(request.raw.url ?? ''),
    status: reply.statusCode,
    ms: reply.elapsedTime,
  };
}

/** Writes the line of an answer. */
export function logAnswer(log: Log, line: AccessLine): void {
  log.info({ ...line, ms: Math.round(line.ms * 1_000) / 1_000 }, 'answered');
}
