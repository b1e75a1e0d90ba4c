import type { FastifyInstance, FastifyReply } from 'fastify';

import type { KeyRing } from '../auth/key-ring.ts';
import type { ApiKeyRecord } from '../domain/api-key.ts';
import type { Clock } from '../lib/clock.ts';
import { errorAnswer } from '../wire/error-texts.ts';
import { sendError, setHeaders } from './answer.ts';
import type { HttpObserver } from './http-observer.ts';
import type { Admission, RateLimits } from './rate-limits.ts';
import { writeAnswer } from './write-answer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that opened this request; null on an open path. */
    apiKey: ApiKeyRecord | null;
  }
  interface FastifyContextConfig {
    /** Whether the route is served without a key. */
    isOpen?: boolean;
  }
}

// The scheme is compared without regard to case (RFC 9110 11.1); one space or more follow it.
const bearer = /^bearer +(\S+)$/i;

/**
 * Lets a request pass only with a valid key, before anything else about it is looked at; unknown
 * paths and methods are no exception, so that nothing can be learned without a key.
 *
 * The two refusals differ as RFC 6750 3.1 wants: a request without any Bearer key is told only the
 * scheme, and one with a key that does not hold is told so (`invalid_token`), whatever the reason.
 * A client that may not ask just now, with a valid key or without, is told only that: 429.
 *
 * Sources: specification 5; decisions row 25.
 */
export function addAuthHook(
  app: FastifyInstance,
  {
    keyRing,
    clock,
    observer,
    rateLimits,
  }: {
    readonly keyRing: KeyRing;
    readonly clock: Clock;
    readonly observer?: HttpObserver | undefined;
    /** Without them, every client may ask as it likes. */
    readonly rateLimits?: RateLimits | undefined;
  },
): void {
  app.decorateRequest('apiKey', null);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isOpen === true) return done();
    const now = clock.now();
    const presented = presentedKey(request.headers.authorization);
    if (presented === undefined) {
      observer?.keyRefused('missing');
      if (isRefused(reply, rateLimits?.admitFailure(request.ip, now))) return;
      return refuse(reply, 'key-missing', 'Bearer realm="pizarra"');
    }
    const verdict = keyRing.authenticate(presented, now, 'read', request.raw.socket);
    if (!verdict.ok) {
      observer?.keyRefused(verdict.reason);
      if (isRefused(reply, rateLimits?.admitFailure(request.ip, now))) return;
      return refuse(reply, 'key-invalid', 'Bearer realm="pizarra", error="invalid_token"');
    }
    request.apiKey = verdict.key;
    if (isRefused(reply, rateLimits?.admitKey(verdict.key, now))) return;
    done();
  });
}

/** The key that an Authorization header presents; undefined when it presents none. */
export function presentedKey(header: string | undefined): string | undefined {
  return bearer.exec(header ?? '')?.[1];
}

function refuse(reply: FastifyReply, name: 'key-missing' | 'key-invalid', challenge: string): void {
  void sendError(reply.header('www-authenticate', challenge), errorAnswer(name));
}

/** Tells a client of its limit. Gives true when it has asked too much; then it is answered. */
export function isRefused(reply: FastifyReply, admission: Admission | undefined): boolean {
  if (admission === undefined) return false;
  const { headers, refusal } = admission;
  setHeaders(reply, headers);
  if (refusal === undefined) return false;
  writeAnswer(reply, 429, refusal);
  return true;
}
