import type { IncomingMessage } from 'node:http';

import type { FastifyReply, onRequestHookHandler } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { markFinished } from './client-error.ts';
import type { HttpLimits } from './http-limits.ts';

/**
 * Refuses messages that Node's parser lets through and this service should not: no `Host` or more
 * than one of them (RFC 9112 3.2), a body where none belongs (a way to smuggle a second request past
 * a proxy), and a request line that is too long.
 */
export function messageHook({ requestLineBytesMax }: HttpLimits): onRequestHookHandler {
  return ({ raw, is404 }, reply, done) => {
    if (raw.httpVersionMajor === 1 && !hasOneHost(raw)) {
      return void sendError(closing(reply), errorAnswer('request-malformed'));
    }
    if (hasBody(raw)) {
      closing(reply);
      // To another method, that it is not served says more than that it has a body.
      if (!is404) return void sendError(reply, errorAnswer('body-unexpected'));
    }
    if (requestLineBytes(raw) > requestLineBytesMax) {
      return void sendError(reply, errorAnswer('target-too-long', { max: requestLineBytesMax }));
    }
    done();
  };
}

/** What follows such a message is not to be read, so its connection is of no more use. */
function closing(reply: FastifyReply): FastifyReply {
  markFinished(reply.request.raw.socket);
  return reply.header('connection', 'close');
}

function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/** What a request line has besides method and target. */
const afterTarget = '  HTTP/1.1\r\n';

function requestLineBytes(raw: IncomingMessage): number {
  // The target as it was sent, before it was brought into origin form.
  const target = 'originalUrl' in raw ? String(raw.originalUrl) : (raw.url ?? '');
  return (raw.method ?? '').length + target.length + afterTarget.length;
}
