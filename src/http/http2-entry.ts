import type { Server as HttpServer } from 'node:http';
import { constants, createServer as createHttp2Server } from 'node:http2';
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

import type { HttpLimits } from './http-limits.ts';
import type { StopPhase } from './stop/stop-phase.ts';

/** Requests that one HTTP/2 connection may have under way; the protocol holds its client to it. */
const streamsPerSessionMax = 100;

/** What one session may make Node keep, in MB: a body or two, and its header tables. */
const sessionMemoryMaxMb = 4;

/** The largest id of a stream. */
const lastStreamIdMax = 2 ** 31 - 1;

/** How long a session that was told to go has for going. */
const partingMs = 1_000;

/** The way in for connections whose client chose `h2` while TLS was agreed. */
export interface Http2Entry {
  /** Reads from a connection from now on. */
  take(socket: Socket): void;
  /** Announces to every client that its session ends. Requests on their way are still answered. */
  drain(): void;
  /** Ends every session: requests under way are answered, further ones are not accepted. */
  close(): void;
}

/**
 * The second way into an HTTPS server. What comes over its connections is emitted as requests of that
 * server, so that everything that looks at requests, whichever server answers them, is there once.
 *
 * Node's limits of time are for HTTP/1.1 alone, so here are the same ones: a session without a
 * request is told to go after `headersTimeoutMs` if it never had one, else `keepAliveTimeoutMs`; a
 * request has `requestTimeoutMs` to be whole, and its client `answerTimeoutMs` to take the answer.
 * Control frames keep nothing alive.
 *
 * @param own.isEndless whether an answer lasts as long as its client likes.
 */
export function createHttp2Entry(
  server: HttpServer,
  {
    limits,
    phase,
    isEndless,
  }: {
    readonly limits: HttpLimits;
    readonly phase: StopPhase;
    readonly isEndless: (response: Http2ServerResponse) => boolean;
  },
): Http2Entry {
  const http2 = createHttp2Server({
    settings: {
      enablePush: false,
      maxConcurrentStreams: streamsPerSessionMax,
      // Twice what is answered, so that a little too much is told so; beyond, the request is reset.
      maxHeaderListSize: 2 * limits.requestHeadBytesMax,
    },
    maxSessionMemory: sessionMemoryMaxMb,
  });
  const sessions = new Set<ServerHttp2Session>();

  http2.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    // A session that breaks ends with its requests; whoever answers them sees these end.
    session.on('error', () => undefined);
    // A session that begins while the server drains gets its first request answered.
    session.once('stream', () => {
      if (phase.isDraining) announceEnd(session);
    });
    closeWhenIdle(session, limits);
  });
  const answer = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    limitTime(request, response, { limits, isEndless });
    server.emit('request', request, response);
  };
  http2.on('request', answer);
  // As over HTTP/1.1: an expectation changes nothing, and CONNECT is a method that is not served.
  http2.on('checkContinue', answer);
  http2.on('checkExpectation', answer);
  http2.on('connect', answer);
  return {
    take: (socket) => http2.emit('connection', socket),
    drain: () => {
      for (const session of sessions) announceEnd(session);
    },
    close: () => {
      for (const session of sessions) session.close();
    },
  };
}

/**
 * Tells a client to open no more streams. The largest possible id says that streams which are on their
 * way are answered (RFC 9113 6.8).
 */
function announceEnd(session: ServerHttp2Session): void {
  if (!session.closed) session.goaway(constants.NGHTTP2_NO_ERROR, lastStreamIdMax);
}

function closeWhenIdle(session: ServerHttp2Session, limits: HttpLimits): void {
  let streams = 0;
  let idle = setTimeout(leave, limits.headersTimeoutMs);
  session.on('stream', (stream) => {
    clearTimeout(idle);
    streams += 1;
    stream.on('close', () => {
      streams -= 1;
      if (streams === 0 && !session.destroyed) idle = setTimeout(leave, limits.keepAliveTimeoutMs);
    });
  });
  session.on('close', () => clearTimeout(idle));

  function leave(): void {
    session.close();
    idle = setTimeout(() => session.destroy(), partingMs);
  }
}

function limitTime(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  {
    limits,
    isEndless,
  }: {
    readonly limits: HttpLimits;
    readonly isEndless: (response: Http2ServerResponse) => boolean;
  },
): void {
  const { stream } = response;
  const cut = (): void => stream.close(constants.NGHTTP2_CANCEL);
  const whole = setTimeout(() => {
    if (!isWhole(request)) cut();
  }, limits.requestTimeoutMs);
  const taken = setTimeout(() => {
    if (!isEndless(response)) cut();
  }, limits.requestTimeoutMs + limits.answerTimeoutMs);
  // What is left of a body after the answer is not waited for (RFC 9113 8.1).
  response.on('finish', () => {
    if (!isWhole(request)) stream.close(constants.NGHTTP2_NO_ERROR);
  });
  stream.on('close', () => {
    clearTimeout(whole);
    clearTimeout(taken);
  });
}

/** Whether all of a request is there; Node says that only of one that somebody reads. */
function isWhole({ stream, complete }: Http2ServerRequest): boolean {
  return stream.endAfterHeaders || complete;
}
