import type { FastifyInstance, onRequestHookHandler } from 'fastify';

import type { KeyRing } from '../auth/key-ring.ts';
import type { PushResult } from '../domain/push-report.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { addAccessLog } from './access-log.ts';
import { presentedKey } from './auth-hook.ts';
import { createFramework } from './create-framework.ts';
import type { Transport } from './create-framework.ts';
import { defaultHttpLimits } from './http-limits.ts';
import type { HttpLimits } from './http-limits.ts';
import { observeHook } from './http-observer.ts';
import type { HttpObserver } from './http-observer.ts';
import { metricsRoute } from './private/metrics.ts';
import type { MetricsText } from './private/metrics.ts';
import { sendPrivateError } from './private/private-route.ts';
import type { PrivateRoute } from './private/private-route.ts';
import { privateHealthzRoute, readyzRoute } from './private/readyz.ts';
import type { Readiness } from './private/readyz.ts';
import { updatesRoute } from './private/updates.ts';
import { listenAt } from './listen-at.ts';
import type { ListeningAt } from './listen-at.ts';
import { pathOf } from './request-target.ts';
import { standingHeadersHook } from './standing-headers.ts';
import { StopPhase } from './stop/stop-phase.ts';

/** What the private listener works with. */
export interface PrivateServerParts {
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes the updates of a body that comes in chunks, and gives what became of them. */
  readonly push: (body: AsyncIterable<Uint8Array>) => Promise<PushResult>;
  readonly metrics: MetricsText;
  readonly readiness: () => Readiness;
  readonly observer?: HttpObserver;
  readonly limits?: Partial<HttpLimits>;
  /** How it is reached; without, plain HTTP. */
  readonly transport?: Transport;
  /** The longest body of updates, in bytes, coded or decoded. */
  readonly updatesBodyBytesMax: number;
}

/**
 * The private listener: the push of updates, metrics, readiness. For the operator's own machines; what
 * comes from outside meets only the public one.
 *
 * Disposing it stops it as {@link ListenerStop} says: pushes under way are answered within `drainMs`.
 */
export interface PrivateServer extends AsyncDisposable {
  /**
   * Begins to listen; port 0 takes any free one.
   *
   * @throws the system's own error, with its `code`.
   */
  listen(at: ListeningAt): Promise<ListeningAt>;
}

/** Builds the private listener. */
export function createPrivateServer(parts: PrivateServerParts): PrivateServer {
  const limits: HttpLimits = { ...defaultHttpLimits, ...parts.limits };
  const routes: readonly PrivateRoute[] = [
    updatesRoute({ push: parts.push, bytesMax: parts.updatesBodyBytesMax }),
    metricsRoute(parts),
    readyzRoute(parts),
    privateHealthzRoute(),
  ];
  const { transport } = parts;
  const { app, stop } = createFramework(limits, { transport, phase: new StopPhase() });
  app.decorateRequest('apiKey', null);
  app.addHook('onRequest', standingHeadersHook());
  app.addHook('onRequest', scopeHook(parts));
  addAccessLog(app, parts.log, 'all');
  if (parts.observer !== undefined) app.addHook('onResponse', observeHook(parts.observer));
  // A body is its route's business: it is read as it comes, and never whole.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  addRoutes(app, routes);
  addFailureHandler(app, parts.log);

  return {
    listen: (at) => listenAt(app, at),
    [Symbol.asyncDispose]: () => stop.stop(),
  };
}

/** Lets a request to a route with a scope pass only with a key that was made for it. */
function scopeHook({ keyRing, clock, observer }: PrivateServerParts): onRequestHookHandler {
  return (request, reply, done) => {
    const { scope } = request.routeOptions.config;
    if (scope === undefined) return done();
    const presented = presentedKey(request.headers.authorization);
    if (presented === undefined) {
      observer?.keyRefused('missing');
      void reply.header('www-authenticate', 'Bearer realm="pizarra"');
      return void sendPrivateError(reply, 401, 'key-missing');
    }
    const verdict = keyRing.authenticate(presented, clock.now(), scope);
    if (!verdict.ok) {
      observer?.keyRefused(verdict.reason);
      void reply.header('www-authenticate', 'Bearer realm="pizarra", error="invalid_token"');
      return void sendPrivateError(reply, 401, 'key-invalid');
    }
    request.apiKey = verdict.key;
    done();
  };
}

function addRoutes(app: FastifyInstance, routes: readonly PrivateRoute[]): void {
  for (const { method, path, scope, handle } of routes) {
    const config = scope === undefined ? {} : { scope };
    app.route({ method, url: path, config, handler: handle });
  }
  const methodsOf = new Map(
    routes.map(({ method, path }) => [path, method === 'GET' ? 'GET, HEAD' : method]),
  );
  app.setNotFoundHandler((request, reply) => {
    const allow = methodsOf.get(pathOf(request.raw.url ?? ''));
    if (allow === undefined) return sendPrivateError(reply, 404, 'path-unknown');
    return sendPrivateError(reply.header('allow', allow), 405, 'method-not-allowed');
  });
}

function addFailureHandler(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, request, reply) => {
    const { method, raw, apiKey } = request;
    const details = { err: error, method, path: pathOf(raw.url ?? ''), keyId: apiKey?.id };
    // A client that leaves in the middle of its body is no failure of ours.
    if (raw.destroyed && !raw.complete)
      log.info(details, 'a client left before its body was whole');
    else log.error(details, 'a request failed');
    return sendPrivateError(reply, 500, 'failure');
  });
}
