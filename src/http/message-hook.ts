import type { IncomingMessage } from 'node:http';
import type { Http2Stream } from 'node:http2';

import type { FastifyReply, onRequestHookHandler } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { sendError } from './answer.ts';
import { markFinished } from './client-error.ts';
import { closeAfter } from './close-after.ts';
import type { HttpLimits } from './http-limits.ts';
import { isHttp2, isKnownVersion } from './http-version.ts';
import { methodOf } from './request-method.ts';

/**
 * Closes the connection after the response to a message whose end is in doubt, or whose body is not
 * read, whatever the status of the response: bytes that follow are never read as a request, and never
 * get a response of their own.
 *
 * It comes before every other hook. The message itself is refused later, after its key.
 */
export function framingHook(takesBodies: boolean): onRequestHookHandler {
  return ({ raw }, reply, done) => {
    if (isMisframed(raw) || (!takesBodies && hasBody(raw))) closeForGood(reply);
    done();
  };
}

/**
 * Refuses messages that Node's parser lets through and this service should not: a version that the
 * connection cannot carry, no `Host` or more than one of them (RFC 9112 3.2), a body where none belongs
 * (a way to smuggle a second request past a proxy), and a request line that is too long.
 */
export function messageHook({
  requestLineBytesMax,
  requestHeadBytesMax,
}: HttpLimits): onRequestHookHandler {
  return ({ raw, is404 }, reply, done) => {
    const isMultiplexed = isHttp2(raw);
    if (!isWellFormed(raw)) {
      return void sendError(closeForGood(reply), errorAnswer('request-malformed'));
    }
    // Over HTTP/1.1 Node's parser holds this limit.
    if (isMultiplexed && headBytes(raw) > requestHeadBytesMax) {
      const isTarget = requestLineBytes(raw) > requestLineBytesMax;
      return void sendError(
        reply,
        isTarget
          ? errorAnswer('target-too-long', { max: requestLineBytesMax })
          : errorAnswer('headers-too-large'),
      );
    }
    // To another method, that it is not served says more than that it has a body.
    if (hasBody(raw) && !is404) return void sendError(reply, errorAnswer('body-unexpected'));
    if (requestLineBytes(raw) > requestLineBytesMax) {
      return void sendError(reply, errorAnswer('target-too-long', { max: requestLineBytesMax }));
    }
    done();
  };
}

/** Whether a message is one that all servers of a chain read alike. */
export function isWellFormed(raw: IncomingMessage): boolean {
  return isHttp2(raw) ? agreesOnHost(raw) : hasOneHost(raw) && !isMisframed(raw);
}

/**
 * Whether the end of a message is in doubt: it has a version that the connection cannot carry, or a
 * body in a transfer coding other than `chunked` (RFC 9112 6.1, 6.3). Node's parser passes such a
 * request on, and fails at its body.
 */
function isMisframed(raw: IncomingMessage): boolean {
  if (isHttp2(raw)) return false;
  if (!isKnownVersion(raw)) return true;
  const coding = raw.headers['transfer-encoding'];
  if (coding === undefined) return false;
  return raw.httpVersion === '1.0' || coding.toLowerCase() !== 'chunked';
}

/** What follows such a message is not to be read, so its connection is of no more use. */
export function closeForGood(reply: FastifyReply): FastifyReply {
  markFinished(reply.request.raw.socket);
  return closeAfter(reply);
}

function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
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
  if ('stream' in raw) return !endsWithHead(raw.stream);
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
  return methodOf(raw).length + target.length + afterTarget.length;
}
