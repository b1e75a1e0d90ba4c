import { Fields } from '../handler/fields.ts';
import { singleOf } from '../handler/request.ts';
import type { Step } from '../handler/visit.ts';

/** What scripts of an allowed origin may send besides what every script may. */
const requestHeaders =
  'authorization, cache-control, content-type, if-modified-since, if-none-match, last-event-id';

/** What they may read of a response besides what every script may. */
const exposedHeaders =
  'conocido-desde, data-source, etag, missing-dividendos, missing-especies, missing-indices, missing-terminos, ratelimit, ratelimit-policy, retry-after, ' +
  'suggested-especies, www-authenticate';

/** The longest time that any browser remembers a preflight (Chromium's limit), in seconds. */
const preflightMaxAge = '7200';

/**
 * The request fields that every response depends on where origins are configured. Responses to requests
 * without an origin depend on it too: a cache must not give one of them to a script.
 */
export function corsVary(method: string): string {
  return method === 'OPTIONS' ? 'Origin, Access-Control-Request-Method' : 'Origin';
}

/** The fields with which scripts of an origin may read a response; undefined where they may not. */
export function corsFields(allowed: ReadonlySet<string>, origin: string): Fields | undefined {
  if (!allowed.has(origin)) return undefined;
  const known = fieldsOf.get(origin);
  if (known !== undefined) return known;
  const fields = Fields.of({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
  });
  fieldsOf.set(origin, fields);
  return fields;
}

/** By origin. Only configured origins are stored. */
const fieldsOf = new Map<string, Fields>();

const preflightFields = [
  Fields.of({
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': requestHeaders,
    // The service may be in a private network, and the page of the origin in the public one.
    'access-control-allow-private-network': 'true',
    'access-control-max-age': preflightMaxAge,
  }),
];

/**
 * Answers preflights of the allowed origins. A preflight carries no key (Fetch standard), so this comes
 * before the key. All other requests continue.
 */
export function answerPreflights(allowed: ReadonlySet<string>): Step {
  return ({ request: { method, headers } }) => {
    if (method !== 'OPTIONS') return undefined;
    const isPreflight =
      allowed.has(singleOf(headers['origin']) ?? '') &&
      headers['access-control-request-method'] !== undefined;
    return isPreflight ? { status: 204, fields: preflightFields, body: [] } : undefined;
  };
}
