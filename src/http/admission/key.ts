import type { KeyRing } from '../../auth/key-ring.ts';
import type { ApiKeyRecord, KeyScope } from '../../domain/access/api-key.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { errorResponse } from '../../wire/texts/error-texts.ts';
import { Fields, errorDraft, retryAfter, type ResponseDraft } from '../handler/response.ts';
import type { HttpObserver } from '../handler/request-handler.ts';
import {
  decodedPath,
  singleOf,
  type Request,
  type Step,
  type RequestContext,
  type ParsedHead,
} from '../handler/request.ts';
import type { RouteTable } from '../handler/route-table.ts';
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
  log,
  errors,
}: {
  readonly table: RouteTable;
  readonly keyRing: KeyRing;
  readonly observer: HttpObserver | undefined;
  /** Absent: no client is limited. */
  readonly rateLimits: RateLimits | undefined;
  readonly log: Log;
  readonly errors: typeof errorResponse;
}): Step {
  const misplacedKeys = new MisplacedKeys({ keyRing, log });
  const scopes = [...new Set(table.routes.flatMap(({ scope }) => scope ?? []))];
  const missing = challenged(errors('key-missing'), 'Bearer realm="pizarra"');
  const invalid = challenged(errors('key-invalid'), invalidToken);
  // A listener that accepts no keys in URLs has no text for them.
  const urlInvalid = table.acceptsUrlKeys
    ? challenged(errors('url-key-invalid'), invalidToken)
    : invalid;
  const unconfirmed = errorDraft(errors('keys-unconfirmed', { seconds: retrySeconds }), [
    retryAfter(retrySeconds),
  ]);
  type Reason = Parameters<HttpObserver['keyRefused']>[0];
  const refuse = (
    context: RequestContext,
    reason: Reason,
    answer: ResponseDraft,
  ): ResponseDraft => {
    observer?.keyRefused(reason);
    const limited = admitFailure(context, rateLimits);
    if (limited !== undefined) return limited;
    misplacedKeys.report(context);
    return answer;
  };
  const admit = (context: RequestContext, key: ApiKeyRecord): ResponseDraft | undefined => {
    context.key = key;
    // A path without a route may contain another key, which the logs of proxies have all the same.
    if (context.head.at === undefined) misplacedKeys.report(context);
    const admission = rateLimits?.admitKey(key, context.now);
    if (admission === undefined) return undefined;
    context.limits = admission.fields;
    return admission.refusal;
  };
  return (context) => {
    const { request, head, now } = context;
    const { route, urlKey } = head;
    if (urlKey === undefined && route !== undefined && route.scope === undefined) return undefined;
    const presented = (head.derived.presentedKey ??= presentedKey(request));
    if (urlKey !== undefined) {
      if (presented !== undefined) return refuse(context, 'two-keys', urlInvalid);
      if (keyRing.isUnconfirmed) return unconfirmed;
      const verdict = keyRing.authenticate(urlKey, now, 'url', request.peer);
      return verdict.ok ? admit(context, verdict.key) : refuse(context, verdict.reason, urlInvalid);
    }
    if (presented === undefined) return refuse(context, 'missing', missing);
    if (keyRing.isUnconfirmed) return unconfirmed;
    const verdict =
      route?.scope === undefined
        ? anyScope(keyRing, { presented, scopes, context })
        : keyRing.authenticate(presented, now, route.scope, request.peer);
    return verdict.ok ? admit(context, verdict.key) : refuse(context, verdict.reason, invalid);
  };
}

function anyScope(
  keyRing: KeyRing,
  {
    presented,
    scopes,
    context: { request, now },
  }: {
    readonly presented: string;
    readonly scopes: readonly KeyScope[];
    readonly context: RequestContext;
  },
): ReturnType<KeyRing['authenticate']> {
  const verdicts = scopes.map((scope) => keyRing.authenticate(presented, now, scope, request.peer));
  return verdicts.find(({ ok }) => ok) ?? verdicts[0] ?? { ok: false, reason: 'wrong-scope' };
}

function challenged(error: ReturnType<typeof errorResponse>, challenge: string): ResponseDraft {
  return errorDraft(error, [Fields.of({ 'www-authenticate': challenge })]);
}

/** One line for a key and a place within this time, in milliseconds: a client repeats its mistake. */
const quietMs = 3_600_000;

const keyShaped = /pzc?_[0-9A-Za-z]{36}(?![0-9A-Za-z])/g;

/** Maximum number of texts of a target that are looked up. */
const textsMax = 4;

/** What the log says of a key in a wrong place. */
const messages = {
  inUrl: 'API key sent in a URL, where others can read it: replace it with "pizarra keys rotate"',
  inHeader: 'key for URLs sent in the header Authorization: it is valid only in the path of a URL',
  elsewhere: 'key for URLs sent elsewhere in a URL than after /clave/, where it is not valid',
  off: 'key for URLs refused: the setting urlKeys is off',
} as const;

/**
 * Logs the id of a good key that a request carries in a wrong place. Only the operator can find out whose
 * mistake it is, because the response says nothing. A key in a URL stands in logs and histories that nobody
 * knows, so it has to be replaced.
 *
 * A key has a line for each kind of mistake within {@link quietMs}, so that no client can fill a disk.
 */
class MisplacedKeys {
  readonly #keyRing: KeyRing;
  readonly #log: Log;
  /** By key and mistake: when it was last logged. Only keys that exist are stored. */
  readonly #logged = new Map<string, number>();

  constructor({ keyRing, log }: { readonly keyRing: KeyRing; readonly log: Log }) {
    this.#keyRing = keyRing;
    this.#log = log;
  }

  /** Reports the keys of a request that was refused, or whose path does not exist. */
  report({ request, head, now, key: admitted }: RequestContext): void {
    // A key that admitted the request from the header is in its place.
    const inHeader = admitted === undefined ? presentedKey(request) : undefined;
    const header = inHeader === undefined ? undefined : this.#keyRing.identify(inHeader, now);
    if (header?.scope === 'url') this.#note('inHeader', header, head.remote, now);
    const texts = decodedPath(request.target).match(keyShaped) ?? [];
    for (const text of texts.slice(0, textsMax)) {
      const key = this.#keyRing.identify(text, now);
      if (key === undefined) continue;
      const mistake = key.scope === 'url' ? misplacement(text, head) : 'inUrl';
      if (mistake !== undefined) this.#note(mistake, key, head.remote, now);
    }
  }

  #note(mistake: keyof typeof messages, { id }: ApiKeyRecord, remote: string, now: number): void {
    const name = `${mistake} ${id}`;
    const last = this.#logged.get(name);
    if (last !== undefined && now - last < quietMs) return;
    this.#logged.set(name, now);
    this.#log.warn({ keyId: id, remote }, messages[mistake]);
  }
}

/** What is wrong with the place of a key for URLs; undefined in its own place. */
function misplacement(
  text: string,
  { hasKeyPrefix, urlKey }: ParsedHead,
): 'elsewhere' | 'off' | undefined {
  if (text === urlKey) return undefined;
  return hasKeyPrefix && urlKey === undefined ? 'off' : 'elsewhere';
}

// The scheme is compared without regard to case (RFC 9110 11.1). One space or more follows it.
const bearer = /^bearer +(\S+)$/i;

/** The key in the Authorization field; undefined if there is none. */
export function presentedKey({ headers }: Pick<Request, 'headers'>): string | undefined {
  return bearer.exec(singleOf(headers['authorization']) ?? '')?.[1];
}
