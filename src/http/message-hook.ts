import type { IncomingMessage } from 'node:http';
import type { Http2Stream } from 'node:http2';

import type { FastifyReply, onRequestHookHandler } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { markFinished } from './client-error.ts';
import { closeAfter } from './close-after.ts';
import type { HttpLimits } from './http-limits.ts';

/**
 * Refuses messages that Node's parser lets through and this service should not: no `Host` or more
 * than one of them (RFC 9112 3.2), a body where none belongs (a way to smuggle a second request past
 * a proxy), and a request line that is too long.
 */
export function messageHook({
  requestLineBytesMax,
  requestHeadBytesMax,
}: HttpLimits): onRequestHookHandler {
  return ({ raw, is404 }, reply, done) => {
    const isHttp2 = raw.httpVersionMajor === 2;
    if (isHttp2 ? !agreesOnHost(raw) : !hasOneHost(raw)) {
      return void sendError(closing(reply), errorAnswer('request-malformed'));
    }
    // Over HTTP/1.1 Node's parser holds this limit.
    if (isHttp2 && headBytes(raw) > requestHeadBytesMax) {
      const isTarget = requestLineBytes(raw) > requestLineBytesMax;
      return void sendError(
        reply,
        isTarget
          ? errorAnswer('target-too-long', { max: requestLineBytesMax })
          : errorAnswer('headers-too-large'),
      );
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
  return closeAfter(reply);
}

function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  // Node reads a line without a version as HTTP/0.9, headers and all.
  if (httpVersion === '0.9') return false;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/**
 * RFC 9113 8.3.1: the pseudo-header names the host, and a `Host` beside it has the same value. Node
 * resets a request with two `Host` fields before anything here sees it.
 */
function agreesOnHost({ headers }: IncomingMessage): boolean {
  const authority = headers[':authority'];
  return headers.host === undefined || authority === undefined || headers.host === authority;
}

function headBytes({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, 0);
}

function hasBody(raw: IncomingMessage): boolean {
  const { headers } = raw;
  // Over HTTP/2 a body needs no header to announce it.
  if (raw.httpVersionMajor === 2) return !('stream' in raw && endsWithHead(raw.stream));
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

function endsWithHead(stream: unknown): boolean {
  return (stream as Http2Stream).endAfterHeaders;
}

/** What a request line has besides method and target. */
const afterTarget = '  HTTP/1.1\r\n';

function requestLineBytes(raw: IncomingMessage): number {
  // The target as it was sent, before it was brought into origin form.
  const target = 'originalUrl' in raw ? String(raw.originalUrl) : (raw.url ?? '');
  return (raw.method ?? '').length + target.length + afterTarget.length;
}
