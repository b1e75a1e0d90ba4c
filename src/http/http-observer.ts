import type { onResponseHookHandler } from 'fastify';

import type { Authentication } from '../auth/key-ring.ts';

/** Why a request was let in by no key. */
type KeyRefusal = 'missing' | Extract<Authentication, { readonly ok: false }>['reason'];

/** Told of every request of a listener, for the metrics. */
export interface HttpObserver {
  /**
   * @param route the path of the route as it was set up, or `unknown`: never what a client sent, so
   *   that clients cannot make up time series.
   */
  answered(answer: {
    readonly route: string;
    readonly method: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  keyRefused(reason: KeyRefusal): void;
  /** A request was refused because it had waited too long for its turn. */
  shed?(): void;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Tells an observer of every answer. The life of a stream is no answering time: it is left out. */
export function observeHook(observer: HttpObserver): onResponseHookHandler {
  return ({ method, routeOptions }, reply, done) => {
    const { isStream = false } = routeOptions.config;
    if (!isStream || reply.statusCode !== 200) {
      observer.answered({
        route: routeOptions.url ?? 'unknown',
        method: methods.has(method) ? method : 'other',
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1_000,
      });
    }
    done();
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether an answer lasts as long as its client likes. */
    isStream?: boolean;
  }
}
