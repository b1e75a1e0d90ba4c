import { ServerResponse, createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';

import type { AddressRanges } from '../lib/address-ranges.ts';
import { secureContextOptions } from './certificate.ts';
import type { Certificate } from './certificate.ts';
import { afterResponses, clientErrorHandler, noteExchange } from './client-error.ts';
import { ConnectionGuard } from './connection-guard.ts';
import type { ConnectionObserver } from './connection-guard.ts';
import { addConnectionEntry } from './connection-entry.ts';
import type { FastPath } from './fast-path/fast-path.ts';
import { forwardedHook } from './forwarded-hook.ts';
import type { HttpLimits } from './http-limits.ts';
import { framingHook } from './message-hook.ts';
import { makeRoutable } from './request-method.ts';
import type { RequestQueue } from './request-queue.ts';
import { originForm } from './request-target.ts';
import { standingHeadersHook } from './standing-headers.ts';
import { ListenerStop } from './stop/listener-stop.ts';
import type { StopPhase } from './stop/stop-phase.ts';
import { transportSecurity, transportSecurityHook } from './transport-security.ts';

/** How a listener is reached. */
export interface Transport {
  /** With one, TLS is spoken, with HTTP/2 for clients that offer it; without, plain HTTP. */
  readonly certificate?: Certificate | undefined;
  /** The proxies whose word on the client's address and protocol is taken. */
  readonly proxies?: AddressRanges | undefined;
  /** Peers that may speak plain HTTP; without, all of them may, and TLS is not affected. */
  readonly plainPeers?: AddressRanges | undefined;
  readonly connectionObserver?: ConnectionObserver | undefined;
}

/** What happens to requests when more come than can be answered. */
export interface Saturation {
  readonly queue: RequestQueue;
  /** Whose requests one waits behind: those of its key, or of its address. */
  readonly clientOf: (request: IncomingMessage) => string;
  /** Answers a request that is shed. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void;
}

/** The web framework of one listener. */
export interface Framework {
  readonly app: FastifyInstance;
  /** Stops the listener; to be used instead of `app.close()`. */
  readonly stop: ListenerStop;
  /** Answers a request, whichever server received it. */
  readonly answer: RequestListener;
  /** From now on this function answers the requests that the server of this framework receives. */
  readonly handOver: (answer: RequestListener) => void;
}

/**
 * The web framework with every default that does not suit an open port changed: limits on size, time
 * and number, one form for errors, and nothing read from a request that nobody asked for.
 *
 * @param fastPath gives the fast path in force; a request that it answers does not reach the framework.
 */
export function createFramework(
  limits: HttpLimits,
  {
    transport: { certificate, proxies, connectionObserver } = {},
    phase,
    saturation,
    takesBodies = false,
    fastPath,
  }: {
    readonly transport?: Transport | undefined;
    readonly phase: StopPhase;
    /** Absent where every request is answered at once. */
    readonly saturation?: Saturation;
    /** Whether there are routes that read a body. */
    readonly takesBodies?: boolean;
    readonly fastPath?: () => FastPath | undefined;
  },
): Framework {
  const own: { answer: RequestListener; inForce: RequestListener } = {
    answer: () => undefined,
    inForce: () => undefined,
  };
  const receive: RequestListener = (request, response) => {
    stop.watch(request, response);
    if (saturation?.queue.mustWait(performance.now(), request.socket) !== true) {
      own.inForce(request, response);
      return;
    }
    const { queue } = saturation;
    // Without this, Node ends a connection whose client has sent its last request and half-closed.
    const halfOpen = app.server as { httpAllowHalfOpen?: boolean };
    halfOpen.httpAllowHalfOpen = true;
    const then = (work: () => void) => (): void => {
      if (queue.size === 0) halfOpen.httpAllowHalfOpen = false;
      // A client that has left needs no answer.
      if (!response.destroyed) work();
    };
    queue.add(saturation.clientOf(request), {
      run: then(() => own.inForce(request, response)),
      shed: then(() => saturation.refuse(request, response)),
    });
  };
  const app = fastify({
    serverFactory: (handler) => {
      own.answer = handler;
      own.inForce = handler;
      return createServer(receive, { limits, certificate });
    },
    clientErrorHandler: clientErrorHandler(limits),
    // `drainHook` does it, in the contract's form.
    return503OnClosing: false,
    // Over HTTP/2, CONNECT has no path.
    rewriteUrl: ({ url }) => originForm(url ?? '*'),
    // The parameters are read by `wire`, strictly, out of the raw query.
    routerOptions: { querystringParser: () => ({}) },
    ...(proxies === undefined ? {} : { trustProxy: (address: string) => proxies.has(address) }),
  });
  const { server } = app;
  const entry = addConnectionEntry(server, {
    limits,
    isTls: certificate !== undefined,
    phase,
    queue: saturation?.queue,
    fastPath,
  });
  // A request that expects something is answered like any other: no body will be read.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request, socket) => answerConnect(server, request, socket));
  const guard = new ConnectionGuard(server, {
    limits,
    isTls: certificate !== undefined,
    isTrusted: (address) => proxies?.has(address) ?? false,
    observer: connectionObserver,
  });
  const stop = new ListenerStop(app, {
    limits,
    phase,
    parts: {
      drain: () => {
        guard.close();
        entry.drain();
      },
      closeIdle: () => entry.closeIdle(),
      destroyAll: () => guard.destroyAll(),
    },
  });
  app.addHook('onRequest', framingHook(takesBodies));
  if (proxies !== undefined) {
    app.addHook('onRequest', forwardedHook);
    app.addHook('onRequest', transportSecurityHook);
  }
  if (certificate !== undefined) {
    app.addHook('onRequest', standingHeadersHook(transportSecurity));
    const following = certificate.subscribe((pair) =>
      (server as HttpsServer).setSecureContext(secureContextOptions(pair)),
    );
    app.addHook('preClose', (done) => {
      following[Symbol.dispose]();
      done();
    });
  }
  const { answer } = own;
  const handOver = (other: RequestListener): void => {
    own.inForce = other;
  };
  return { app, stop, answer, handOver };
}

/**
 * Answers CONNECT as every other method that is not served: key first. Node hands over the connection,
 * so that a tunnel could be opened; here it gets one response, after those that are still to come, and
 * is closed.
 */
function answerConnect(server: Server, request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  afterResponses(socket, () => {
    if (!socket.writable) return;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.on('finish', () => socket.destroy());
    server.emit('request', request, response);
  });
}

function createServer(
  handler: RequestListener,
  {
    limits,
    certificate,
  }: { readonly limits: HttpLimits; readonly certificate: Certificate | undefined },
): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.requestHeadBytesMax,
    // Node takes no longer one for the headers than for the whole.
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    // Node adds this to the keep-alive timeout that it announces, so that it does not close just as a
    // client that believed it sends a request.
    keepAliveTimeoutBuffer: limits.timeoutCheckMs,
    // Answered by `messageHook`, in the contract's form.
    requireHostHeader: false,
  };
  const listener: RequestListener = (request, response) => {
    noteExchange(request, response);
    makeRoutable(request);
    handler(request, response);
  };
  const server =
    certificate === undefined
      ? createHttpServer(options, listener)
      : createTlsServer(listener, { options, limits, certificate });
  server.setTimeout(limits.stalledSocketMs);
  // The head is limited in bytes; beyond a limited count Node would drop headers silently, and a
  // second `Host` could hide there.
  server.maxHeadersCount = 0;
  return server;
}

function createTlsServer(
  handler: RequestListener,
  {
    options,
    limits,
    certificate,
  }: {
    readonly options: ServerOptions;
    readonly limits: HttpLimits;
    readonly certificate: Certificate;
  },
): HttpsServer {
  return createHttpsServer(
    {
      ...options,
      ...secureContextOptions(certificate.pair),
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: limits.headersTimeoutMs,
    },
    handler,
  );
}
