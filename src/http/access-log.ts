import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Log } from '../lib/log.ts';
import { RefusalLog } from './refusal-log.ts';
import { methodOf } from './request-method.ts';
import { pathOf } from './request-target.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the client, which the request itself loses when its connection closes. */
    remote: string;
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

/** Statuses from here on refuse something. */
const refusedStatusMin = 400;

/** Writes the line of a response that is to be logged, or counts it. */
export type AccessLogWriter = (line: AccessLine) => void;

/**
 * Logs a line per answer, or only for those that refuse something (400 and above). The key's id is in
 * it and the key is not, nor is the query: people paste keys into URLs by mistake, and a log is
 * copied to more places than anyone remembers.
 *
 * Refused requests beyond a rate are summarised, as {@link RefusalLog} says. It is to be added before
 * the hooks that refuse requests.
 *
 * A line takes 4 µs and what the system needs to write it. With one for each, all answers come the
 * framework's way, so that a poll takes three times as long.
 */
export function addAccessLog(app: FastifyInstance, log: Log, which: AccessLog): AccessLogWriter {
  if (which === 'off') return () => undefined;
  const statusMin = which === 'refused' ? refusedStatusMin : 0;
  const refusals = new RefusalLog(log);
  const write: AccessLogWriter = (line) => {
    if (line.status < refusedStatusMin || refusals.admits(line)) logAnswer(log, line);
  };
  app.decorateRequest('remote', '');
  app.addHook('onRequest', (request, _reply, done) => {
    request.remote = request.ip;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode >= statusMin) write(lineOf(request, reply));
    done();
  });
  app.addHook('onClose', (_app, done) => {
    refusals[Symbol.dispose]();
    done();
  });
  return write;
}

function lineOf(request: FastifyRequest, reply: FastifyReply): AccessLine {
  return {
    keyId: request.apiKey?.id,
    remote: request.remote,
    method: methodOf(request.raw).slice(0, loggedMethodLengthMax),
    path: pathOf(request.raw.url ?? ''),
    status: reply.statusCode,
    ms: reply.elapsedTime,
  };
}

function logAnswer(log: Log, line: AccessLine): void {
  log.info({ ...line, ms: Math.round(line.ms * 1_000) / 1_000 }, 'answered');
}
