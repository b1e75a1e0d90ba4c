import type { KeyRing } from '../../auth/key-ring.ts';
import type { ApiKeyRecord, KeyScope } from '../../domain/access/api-key.ts';
import type { errorResponse } from '../../wire/texts/error-texts.ts';
import { draftOf, retryAfter, type ResponseDraft } from '../handler/response-draft.ts';
import { Fields } from '../handler/fields.ts';
import type { HttpObserver, KeyRefusal } from '../handler/http-observer.ts';
import type { RouteTable } from '../handler/route-table.ts';
import type { Step, Visit } from '../handler/visit.ts';
import type { MisplacedKeys } from './misplaced-keys.ts';
import { presentedKey } from './presented-key.ts';
import { admitFailure, type RateLimits } from './rate-limits.ts';

/** When a client may ask again while the keys cannot be confirmed, in seconds. */
const retrySeconds = 1;

const invalidToken = 'Bearer realm="pizarra", error="invalid_token"';

/**
 * Admits a request only with a valid key, before anything else about it is decided. Unknown paths and
 * methods are no exception: without a key, nothing can be learned about the paths (contract 5.2). Where
 * there is no route, a key of any scope of the listener is enough.
 *
 * The two refusals differ as RFC 6750 3.1 demands: without a Bearer key, the challenge names the scheme
 * only; with an invalid key it adds `invalid_token`, whatever the reason. A client over its limit, with
 * a valid key or without, gets 429 instead.
 *
 * A key in the path admits to the routes that it opens, and nothing else does below its prefix: neither
 * another kind of key nor the header beside it (contract 5.5). A key for URLs is invalid in the header.
 *
 * While the store cannot confirm the keys, and the bound for that has passed, every key gets 503.
 */
export function requireKey({
  table,
  keyRing,
  observer,
  rateLimits,
  misplacedKeys,
  errors,
}: {
  readonly table: RouteTable;
  readonly keyRing: KeyRing;
  readonly observer: HttpObserver | undefined;
  /** Absent: no client is limited. */
  readonly rateLimits: RateLimits | undefined;
  readonly misplacedKeys: MisplacedKeys;
  readonly errors: typeof errorResponse;
}): Step {
  const scopes = [...new Set(table.routes.flatMap(({ scope }) => scope ?? []))];
  const missing = challenged(errors('key-missing'), 'Bearer realm="pizarra"');
  const invalid = challenged(errors('key-invalid'), invalidToken);
  // A listener that accepts no keys in URLs has no text for them.
  const urlInvalid = table.acceptsUrlKeys
    ? challenged(errors('url-key-invalid'), invalidToken)
    : invalid;
  const unconfirmed = draftOf(errors('keys-unconfirmed', { seconds: retrySeconds }), [
    retryAfter(retrySeconds),
  ]);
  const refuse = (visit: Visit, reason: KeyRefusal, answer: ResponseDraft): ResponseDraft => {
    observer?.keyRefused(reason);
    const limited = admitFailure(visit, rateLimits);
    if (limited !== undefined) return limited;
    misplacedKeys.report(visit);
    return answer;
  };
  const admit = (visit: Visit, key: ApiKeyRecord): ResponseDraft | undefined => {
    visit.key = key;
    // A path without a route may contain another key, which the logs of proxies have all the same.
    if (visit.reading.at === undefined) misplacedKeys.report(visit);
    const admission = rateLimits?.admitKey(key, visit.now);
    if (admission === undefined) return undefined;
    visit.limits = admission.fields;
    return admission.refusal;
  };
  return (visit) => {
    const { request, reading, now } = visit;
    const { route, urlKey } = reading;
    if (urlKey === undefined && route !== undefined && route.scope === undefined) return undefined;
    const presented = (reading.derived.presentedKey ??= presentedKey(request));
    if (urlKey !== undefined) {
      if (presented !== undefined) return refuse(visit, 'two-keys', urlInvalid);
      if (keyRing.isUnconfirmed) return unconfirmed;
      const verdict = keyRing.authenticate(urlKey, now, 'url', request.peer);
      return verdict.ok ? admit(visit, verdict.key) : refuse(visit, verdict.reason, urlInvalid);
    }
    if (presented === undefined) return refuse(visit, 'missing', missing);
    if (keyRing.isUnconfirmed) return unconfirmed;
    const verdict =
      route?.scope === undefined
        ? anyScope(keyRing, { presented, scopes, visit })
        : keyRing.authenticate(presented, now, route.scope, request.peer);
    return verdict.ok ? admit(visit, verdict.key) : refuse(visit, verdict.reason, invalid);
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

function challenged(error: ReturnType<typeof errorResponse>, challenge: string): ResponseDraft {
  return draftOf(error, [Fields.of({ 'www-authenticate': challenge })]);
}
