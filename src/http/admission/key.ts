import type { KeyRing } from '../../auth/key-ring.ts';
import type { KeyScope } from '../../domain/access/api-key.ts';
import type { errorResponse } from '../../wire/texts/error-texts.ts';
import { draftOf, retryAfter } from '../handler/response-draft.ts';
import type { ResponseDraft } from '../handler/response-draft.ts';
import { Fields } from '../handler/fields.ts';
import type { HttpObserver } from '../handler/http-observer.ts';
import { singleOf } from '../handler/request.ts';
import type { Request } from '../handler/request.ts';
import type { RouteTable } from '../handler/route-table.ts';
import type { Step, Visit } from '../handler/visit.ts';
import { admitFailure } from './rate-limits.ts';
import type { RateLimits } from './rate-limits.ts';

/** When a client may ask again while the keys cannot be confirmed, in seconds. */
const retrySeconds = 1;

// The scheme is compared without regard to case (RFC 9110 11.1). One space or more follows it.
const bearer = /^bearer +(\S+)$/i;

/**
 * Admits a request only with a valid key, before anything else about it is decided. Unknown paths and
 * methods are no exception: without a key, nothing can be learned about the paths (contract 5.2). Where
 * there is no route, a key of any scope of the listener is enough.
 *
 * The two refusals differ as RFC 6750 3.1 demands: without a Bearer key, the challenge names the scheme
 * only; with an invalid key it adds `invalid_token`, whatever the reason. A client over its limit, with
 * a valid key or without, gets 429 instead.
 *
 * While the store cannot confirm the keys, and the bound for that has passed, every key gets 503.
 */
export function requireKey({
  table,
  keyRing,
  observer,
  rateLimits,
  errors,
}: {
  readonly table: RouteTable;
  readonly keyRing: KeyRing;
  readonly observer: HttpObserver | undefined;
  /** Absent: no client is limited. */
  readonly rateLimits: RateLimits | undefined;
  readonly errors: typeof errorResponse;
}): Step {
  const scopes = [...new Set(table.routes.flatMap(({ scope }) => scope ?? []))];
  const missing = challenged(errors('key-missing'), 'Bearer realm="pizarra"');
  const invalid = challenged(
    errors('key-invalid'),
    'Bearer realm="pizarra", error="invalid_token"',
  );
  const unconfirmed = draftOf(errors('keys-unconfirmed', { seconds: retrySeconds }), [
    retryAfter(retrySeconds),
  ]);
  return (visit) => {
    const { request, reading, now } = visit;
    const { route } = reading;
    if (route !== undefined && route.scope === undefined) return undefined;
    const presented = (reading.derived.presentedKey ??= presentedKey(request));
    if (presented === undefined) {
      observer?.keyRefused('missing');
      return admitFailure(visit, rateLimits) ?? missing;
    }
    if (keyRing.isUnconfirmed) return unconfirmed;
    const verdict =
      route?.scope === undefined
        ? anyScope(keyRing, { presented, scopes, visit })
        : keyRing.authenticate(presented, now, route.scope, request.peer);
    if (!verdict.ok) {
      observer?.keyRefused(verdict.reason);
      return admitFailure(visit, rateLimits) ?? invalid;
    }
    visit.key = verdict.key;
    const admission = rateLimits?.admitKey(verdict.key, now);
    if (admission === undefined) return undefined;
    visit.limits = admission.fields;
    return admission.refusal;
  };
}

function anyScope(
  keyRing: KeyRing,
  {
    presented,
    scopes,
    visit: { request, now },
  }: { readonly presented: string; readonly scopes: readonly KeyScope[]; readonly visit: Visit },
): ReturnType<KeyRing['authenticate']> {
  const verdicts = scopes.map((scope) => keyRing.authenticate(presented, now, scope, request.peer));
  return verdicts.find(({ ok }) => ok) ?? verdicts[0] ?? { ok: false, reason: 'wrong-scope' };
}

/** The key in the Authorization field; undefined if there is none. */
export function presentedKey({ headers }: Pick<Request, 'headers'>): string | undefined {
  return bearer.exec(singleOf(headers['authorization']) ?? '')?.[1];
}

function challenged(error: ReturnType<typeof errorResponse>, challenge: string): ResponseDraft {
  return draftOf(error, [Fields.of({ 'www-authenticate': challenge })]);
}
