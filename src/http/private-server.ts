import type { FastifyInstance, onRequestHookHandler } from 'fastify';

import type { KeyRing } from '../auth/key-ring.ts';
import type { PushResult } from '../domain/push-report.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { addAccessLog } from './access-log.ts';
import type { AccessLog } from './access-log.ts';
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
import { closeForGood, isWellFormed } from './message-hook.ts';
import { methodOf } from './request-method.ts';
import { isPath, pathOf } from './request-target.ts';
import { standingHeadersHook } from './standing-headers.ts';
import { StopPhase } from './stop/stop-phase.ts';

/** What the private listener works with. */
export interface PrivateServerParts {
  /** The id of the running service, shown in `/healthz`. */
  readonly instance: string;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes the updates of a body that comes in chunks, and gives what became of them. */
  readonly push: (body: AsyncIterable<Uint8Array>) => Promise<PushResult>;
  readonly metrics: MetricsText;
  readonly readiness: () => Readiness;
  /** With `off` no response is logged, else all are. */
  readonly accessLog?: AccessLog;
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
    privateHealthzRoute(parts),
  ];
  const { transport } = parts;
  const { app, stop } = createFramework(limits, {
    transport,
    phase: new StopPhase(),
    takesBodies: true,
  });
  app.decorateRequest('apiKey', null);
  const { accessLog = 'refused' } = parts;
  // Its requests are few, and each changes or reveals something.
  addAccessLog(app, parts.log, accessLog === 'off' ? 'off' : 'all');
  app.addHook('onRequest', standingHeadersHook());
  app.addHook('onRequest', scopeHook(parts, routes));
  app.addHook('onRequest', malformedHook);
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

/**
 * Lets a request pass only to an open route, or with a key of the route's scope. Where there is no
 * route, a key of any scope of this listener will do: without one, nothing can be learned of its paths.
 */
function scopeHook(
  { keyRing, clock, observer }: PrivateServerParts,
  routes: readonly PrivateRoute[],
): onRequestHookHandler {
  const scopes = new Set(routes.flatMap(({ scope }) => scope ?? []));
  return (request, reply, done) => {
    const { scope } = request.routeOptions.config;
    if (scope === undefined && !request.is404) return done();
    const presented = presentedKey(request.headers.authorization);
    if (presented === undefined) {
      observer?.keyRefused('missing');
      void reply.header('www-authenticate', 'Bearer realm="pizarra"');
      return void sendPrivateError(reply, 401, 'key-missing');
    }
    const now = clock.now();
    const verdicts = Array.from(scope === undefined ? scopes : [scope], (one) =>
      keyRing.authenticate(presented, now, one),
    );
    const verdict = verdicts.find(({ ok }) => ok) ?? verdicts[0];
    if (verdict?.ok !== true) {
      if (verdict !== undefined) observer?.keyRefused(verdict.reason);
      void reply.header('www-authenticate', 'Bearer realm="pizarra", error="invalid_token"');
      return void sendPrivateError(reply, 401, 'key-invalid');
    }
    request.apiKey = verdict.key;
    done();
  };
}

/** Refuses messages that another server could read in another way; the connection is closed. */
const malformedHook: onRequestHookHandler = (request, reply, done) => {
  if (isWellFormed(request.raw)) return done();
  void sendPrivateError(closeForGood(reply), 400, 'request-malformed');
};

function addRoutes(app: FastifyInstance, routes: readonly PrivateRoute[]): void {
  for (const { method, path, scope, handle } of routes) {
    const config = scope === undefined ? {} : { scope };
    app.route({ method, url: path, config, handler: handle });
  }
  const methodsOf = new Map(
    routes.map(({ method, path }) => [path, method === 'GET' ? 'GET, HEAD' : method]),
  );
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.raw.url ?? '');
    const allow = methodsOf.get(path);
    if (allow === undefined && isPath(path)) return sendPrivateError(reply, 404, 'path-unknown');
    return sendPrivateError(
      reply.header('allow', allow ?? 'GET, HEAD, POST'),
      405,
      'method-not-allowed',
    );
  });
}

function addFailureHandler(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, request, reply) => {
    const { raw, apiKey } = request;
    const details = {
      err: error,
      method: methodOf(raw),
      path: pathOf(raw.url ?? ''),
      keyId: apiKey?.id,
    };
    // A client that leaves in the middle of its body is no failure of ours.
    if (raw.destroyed && !raw.complete)
      log.info(details, 'a client left before its body was whole');
    else log.error(details, 'a request failed');
    return sendPrivateError(reply, 500, 'failure');
  });
}
