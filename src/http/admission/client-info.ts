import { isIP } from 'node:net';

import type { AddressRanges } from '../../lib/network/address-ranges.ts';
import { Fields } from '../handler/response.ts';
import {
  singleOf,
  type Request,
  listOf,
  type HeaderFields,
  type ClientInfo,
  type Step,
} from '../handler/request.ts';

/** For a year, a browser that received this connects over TLS only (RFC 6797). */
export const transportSecurity = Fields.of({ 'strict-transport-security': 'max-age=31536000' });

/**
 * Reads who sent a request and what every response to it says:
 *
 * - `Strict-Transport-Security` over TLS, also where a trusted proxy terminates it. Over plain HTTP it
 *   would have no effect (RFC 6797 7.2).
 * - the CORS fields, if the request's origin is allowed.
 */
export function readClientInfo({
  proxies,
  corsOrigins,
}: {
  /** The proxies whose report of the client's address and protocol is trusted. */
  readonly proxies: AddressRanges | undefined;
  readonly corsOrigins: ReadonlySet<string>;
}): (request: Request) => ClientInfo {
  const corsFields = new Map(Array.from(corsOrigins, (origin) => [origin, fieldsFor(origin)]));
  const none: readonly Fields[] = [];
  return ({ peer, headers }) => {
    let remote = peer.address;
    let isEncrypted = peer.isEncrypted;
    if (proxies?.has(peer.address) === true) {
      const forwarded = readForwarded(headers);
      remote = clientAddress(peer.address, forwarded, proxies);
      isEncrypted ||= forwarded.protocol === 'https';
    }
    const origin = corsOrigins.size === 0 ? undefined : singleOf(headers['origin']);
    const cors = origin === undefined ? undefined : corsFields.get(origin);
    if (!isEncrypted && cors === undefined) return { remote, fields: none };
    const fields: Fields[] = [];
    if (isEncrypted) fields.push(transportSecurity);
    if (cors !== undefined) fields.push(cors);
    return { remote, fields };
  };
}

/** What a proxy reports about the client of a request. */
interface Forwarded {
  /** The addresses that the request came over before the proxy's own, the nearest last. */
  readonly addresses: readonly string[];
  /** The protocol that the client used, where it is reported. */
  readonly protocol: string | undefined;
}

/**
 * Reads the fields of a trusted proxy.
 *
 * A proxy sets `Forwarded` (RFC 7239) or the older `X-Forwarded-For`, and passes on the other one as
 * the client sent it. Where both are present and name different clients, neither is trusted: the proxy
 * counts as the client. Whatever is to the left of an entry that is no address is not trusted either.
 */
function readForwarded(headers: HeaderFields): Forwarded {
  const standard = readHops(listOf(headers['forwarded']));
  const older = listOf(headers['x-forwarded-for'])?.split(',');
  const addresses = trustedPart(standard?.map(({ address }) => address) ?? older);
  if (standard !== undefined && older !== undefined) {
    const agrees = trustedPart(older).join() === addresses.join();
    if (!agrees) return { addresses: [], protocol: undefined };
  }
  const olderProtocol = listOf(headers['x-forwarded-proto'])?.split(',').at(-1)?.trim();
  // It is unknown which of the two the proxy has set. If both are present, the older one applies.
  const standardProtocol = older === undefined ? standard?.at(-1)?.protocol : undefined;
  return { addresses, protocol: standardProtocol ?? olderProtocol };
}

/**
 * The address of the client: the nearest address of the chain that is not one of the operator's own
 * proxies.
 *
 * @param connected the address at the other end of the connection.
 */
function clientAddress(
  connected: string,
  { addresses }: Forwarded,
  proxies: AddressRanges,
): string {
  const chain = [...addresses, connected];
  return chain.findLast((address) => !proxies.has(address)) ?? chain[0] ?? connected;
}

interface Hop {
  readonly address: string;
  readonly protocol: string | undefined;
}

const forwardedPair = /^\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))\s*$/;

/** The hops of a `Forwarded` field, the nearest last; undefined where the field is absent. */
function readHops(field: string | undefined): readonly Hop[] | undefined {
  return field?.split(',').map((element) => {
    const pairs = new Map<string, string>();
    for (const pair of element.split(';')) {
      const [, name = '', quoted, token] = forwardedPair.exec(pair) ?? [];
      pairs.set(name.toLowerCase(), quoted ?? token ?? '');
    }
    return { address: pairs.get('for') ?? '', protocol: pairs.get('proto')?.toLowerCase() };
  });
}

/** The addresses at the end of a chain, back to the first entry that is no address. */
function trustedPart(chain: readonly string[] | undefined): readonly string[] {
  const addresses = (chain ?? []).map(bareAddress);
  return addresses.slice(addresses.findLastIndex((one) => isIP(one) === 0) + 1);
}

/** An address without the port and the brackets that some proxies add. */
function bareAddress(text: string): string {
  const trimmed = text.trim();
  return (
    /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(trimmed)?.[1] ??
    /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1] ??
    trimmed
  );
}

/** What scripts of an allowed origin may send besides what every script may. */
const requestHeaders =
  'authorization, cache-control, content-type, if-modified-since, if-none-match, last-event-id';

/** What they may read of a response besides what every script may. */
const exposedHeaders =
  'cambio, conocido-desde, data-source, etag, missing-cambios, missing-dividendos, missing-especies, missing-indices, missing-terminos, ratelimit, ratelimit-policy, retry-after, ' +
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

/** The fields with which scripts of an allowed origin may read a response. */
function fieldsFor(origin: string): Fields {
  return Fields.of({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
  });
}

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
