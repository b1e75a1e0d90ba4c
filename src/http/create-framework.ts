import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';

import { errorAnswer } from '../wire/error-texts.ts';
import { clientErrorHandler, refuseConnection } from './client-error.ts';
import { closeIdleGently } from './close-idle.ts';
import type { HttpLimits } from './http-limits.ts';
import { originForm } from './request-target.ts';

/**
 * The web framework with every default that does not suit an open port changed: limits on size and
 * time, one form for errors, and nothing read from a request that nobody asked for.
 */
export function createFramework(limits: HttpLimits): FastifyInstance {
  const app = fastify({
    http: {
      maxHeaderSize: limits.requestHeadBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      // Node adds this to the keep-alive timeout that it announces, so that it does not close just
      // as a client that believed it sends a request.
      keepAliveTimeoutBuffer: limits.timeoutCheckMs,
      // Answered by `messageHook`, in the contract's form.
      requireHostHeader: false,
    },
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.stalledSocketMs,
    clientErrorHandler: clientErrorHandler(limits),
    // `drainHook` does it, in the contract's form.
    return503OnClosing: false,
    rewriteUrl: ({ url }) => originForm(url ?? '/'),
    // The parameters are read by `wire`, strictly, out of the raw query.
    routerOptions: { querystringParser: () => ({}) },
  });
  const { server } = app;
  closeIdleGently(server);
  // The head is limited in bytes; beyond a limited count Node would drop headers silently, and a
  // second `Host` could hide there.
  server.maxHeadersCount = 0;
  // A request that expects something is answered like any other: no body will be read.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // CONNECT asks for a tunnel, not for a path of ours; no key would change the answer.
  server.on('connect', ({ method = '' }, socket) => {
    const answer = errorAnswer('method-not-allowed', { method, valid: ['GET', 'HEAD'] });
    refuseConnection(socket, answer, { lingerMs: 0, headers: { allow: 'GET, HEAD' } });
  });
  return app;
}
