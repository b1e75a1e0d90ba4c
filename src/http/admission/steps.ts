import type { KeyRing } from '../../auth/key-ring.ts';
import { addressGroup } from '../../lib/network/address-group.ts';
import type { AddressRanges } from '../../lib/network/address-ranges.ts';
import { closestTo } from '../../lib/text/closest.ts';
import type { errorResponse } from '../../wire/texts/error-texts.ts';
import { Fields, errorDraft, retryAfter, type ResponseDraft } from '../handler/response.ts';
import type { CarrierLimits } from '../carriers/connection/transport.ts';
import { RequestHandler, type RequestHandlerParts } from '../handler/request-handler.ts';
import type { Step, Request } from '../handler/request.ts';
import { presentedKey, requireKey } from './key.ts';
import { admitFailure, type RateLimits } from './rate-limits.ts';
import { answerPreflights, corsVary, readClientInfo, transportSecurity } from './client-info.ts';

/** What the handler of a listener works with: its own parts, and those of admission. */
export interface AdmissionParts extends Omit<RequestHandlerParts, Decided | 'keepAliveTimeoutMs'> {
  readonly keyRing: KeyRing;
  readonly limits: MessageLimits & Pick<CarrierLimits, 'keepAliveTimeoutMs'>;
  /** Absent: no client is limited. */
  readonly rateLimits?: RateLimits | undefined;
  /** The proxies whose report of the client's address and protocol is trusted. */
  readonly proxies?: AddressRanges | undefined;
  /** The addresses that may use plain HTTP; absent for all. */
  readonly plainPeers?: AddressRanges | undefined;
  /** Origins whose scripts may read responses. */
  readonly corsOrigins?: ReadonlySet<string>;
}

/** When a client of a saturated service may come back, in seconds. */
const saturatedRetrySeconds = 1;

/** What admission decides. */
type Decided = 'steps' | 'clientInfo' | 'admitUnread' | 'clientOf' | 'saturated' | 'varies';

/** Creates a handler that applies the rules of a listener before its routes: each rule once, for every carrier. */
export function admittingHandler(parts: AdmissionParts): RequestHandler {
  const { keyRing, errors, limits, rateLimits, plainPeers, corsOrigins = new Set() } = parts;
  return new RequestHandler({
    ...parts,
    keepAliveTimeoutMs: limits.keepAliveTimeoutMs,
    // The order in which a request meets the rules. Nothing but the transport is decided before its key.
    steps: [
      closeAfterDoubt,
      ...(plainPeers === undefined ? [] : [refusePlainHttp(plainPeers, parts)]),
      ...(corsOrigins.size === 0 ? [] : [answerPreflights(corsOrigins)]),
      requireKey({ ...parts, rateLimits }),
      refuseWhileStopping(parts),
      refuseBadMessages(limits, errors),
      refuseUnknown(parts),
    ],
    clientInfo: readClientInfo({ proxies: parts.proxies, corsOrigins }),
    // A slow client has not failed to present a key.
    admitUnread: ({ address, isEncrypted }, error, now) => {
      const counted =
        error === 'request-too-slow' ? undefined : rateLimits?.admitFailure(address, now);
      const fields = isEncrypted ? [transportSecurity] : [];
      if (counted !== undefined) fields.push(counted.fields);
      return { fields, refusal: counted?.refusal };
    },
    clientOf: queueClient(keyRing),
    saturated: errorDraft(errors('saturated', { seconds: saturatedRetrySeconds }), [
      retryAfter(saturatedRetrySeconds),
    ]),
    varies: corsOrigins.size > 0 ? corsVary : () => undefined,
  });
}

/**
 * Refuses requests whose key would cross a network unencrypted, before anything else is decided. A
 * preflight is refused too, so that a browser does not send the key. The pages are refused, so that
 * nobody enters a key into one. A health check without a key is answered, for load balancers that check
 * the service directly. Refusals count as failures of the address.
 */
function refusePlainHttp(
  plainPeers: AddressRanges,
  { rateLimits, errors }: Pick<AdmissionParts, 'rateLimits' | 'errors'>,
): Step {
  const answer = errorDraft(errors('plain-http'));
  return (context) => {
    const { request, head } = context;
    const { peer, headers } = request;
    const isHealthCheck =
      head.route?.isHealthCheck === true && headers['authorization'] === undefined;
    if (isHealthCheck || peer.isEncrypted || plainPeers.has(peer.address)) return undefined;
    context.closes = true;
    return admitFailure(context, rateLimits) ?? answer;
  };
}

/** When a client of a stopping service may come back, in seconds: enough for a restart. */
const stoppingRetrySeconds = 5;

/**
 * Refuses what a stopping service does not answer any more: new streams while it drains, every request
 * once it closes (contract 7).
 */
function refuseWhileStopping({ phase, errors }: Pick<AdmissionParts, 'phase' | 'errors'>): Step {
  const error = errors('draining', { seconds: stoppingRetrySeconds });
  const answer = errorDraft(error, [retryAfter(stoppingRetrySeconds)]);
  return ({ head: { route } }) => {
    if (!phase.isDraining) return undefined;
    return phase.isClosing || route?.isStream === true ? answer : undefined;
  };
}

/**
 * Refuses what no route serves: 405 with `Allow` on a path that exists, 404 elsewhere (contract 4.5.1).
 * A target that is no path (`*` of OPTIONS, the authority of CONNECT) names no resource, so there the
 * method is refused.
 */
function refuseUnknown({ table, errors }: Pick<AdmissionParts, 'table' | 'errors'>): Step {
  // The path of a parsed head contains no key.
  const names = table.routes.map((route) => table.nameOf(route));
  const unknownPath = (path: string): ResponseDraft => {
    const closest = closestTo(path, names);
    // A key for URLs opens only some of the paths.
    return closest === undefined || closest === path
      ? errorDraft(errors('path-unknown', { path }))
      : errorDraft(errors('path-mistyped', { path, closest }));
  };
  return ({ request: { method }, head }) => {
    if (head.route !== undefined) return undefined;
    const methods = table.methodsAt(head, method);
    if (methods === undefined) return unknownPath(head.path);
    const allow = Fields.of({ allow: methods.join(', ') });
    return errorDraft(errors('method-not-allowed', { method, valid: methods }), [allow]);
  };
}

/**
 * Whose requests a request waits behind: those of its key and of the keys that it replaced. Without a
 * valid key, or with two keys, it is those of its address, so that invented keys get no share of their own.
 */
function queueClient(keyRing: KeyRing): RequestHandlerParts['clientOf'] {
  return (request, { urlKey }, now) => {
    const inHeader = presentedKey(request);
    const presented =
      urlKey === undefined || inHeader === undefined ? (urlKey ?? inHeader) : undefined;
    if (presented !== undefined) {
      const scope = urlKey === undefined ? 'read' : 'url';
      const verdict = keyRing.authenticate(presented, now, scope, request.peer);
      if (verdict.ok) return verdict.key.family ?? verdict.key.id;
    }
    return `address ${addressGroup(request.peer.address)}`;
  };
}

/** Limits on the size of a message. */
type MessageLimits = Pick<CarrierLimits, 'requestLineBytesMax' | 'requestHeadBytesMax'>;

/**
 * Notes that the connection closes after a message whose end is in doubt, or whose body is not read,
 * whatever the status of the response. Bytes that follow are never read as a request.
 *
 * This is the first step, so that a refusal by any later step closes the connection too. The message itself is
 * refused by {@link refuseBadMessages}, after its key was checked.
 */
const closeAfterDoubt: Step = (context) => {
  const { request, head } = context;
  // A client that waits for 100 (Continue) may send its next request instead of the body.
  const mayBeRead = head.route?.takesBody === true && request.headers['expect'] === undefined;
  const isUnread = request.hasBody && !mayBeRead;
  if (request.version !== '2' && (isUnread || isMisframed(request))) context.closes = true;
  return undefined;
};

/**
 * Refuses messages that servers could read differently: a version that the connection cannot carry, a
 * request line of another protocol, an unknown transfer coding, no valid `Host` or several (RFC 9112
 * 3.2), a target with bytes that must be encoded, a body where none is read, and heads over the limits.
 */
function refuseBadMessages(limits: MessageLimits, errors: typeof errorResponse): Step {
  const { requestLineBytesMax, requestHeadBytesMax } = limits;
  const malformed = { ...errorDraft(errors('request-malformed')), closes: true };
  const tooLong = errorDraft(errors('target-too-long', { max: requestLineBytesMax }));
  const tooLarge = errorDraft(errors('headers-too-large'));
  const bodyUnexpected = errorDraft(errors('body-unexpected'));
  return ({ request, head: { route, derived } }) => {
    if (derived.isAcceptable === true) return undefined;
    if (!isWellFormed(request)) return malformed;
    const isLineTooLong = requestLineBytes(request) > requestLineBytesMax;
    if ((request.headBytes ?? 0) > requestHeadBytesMax) return isLineTooLong ? tooLong : tooLarge;
    // For an unknown path or method, the steps that follow have the more specific error.
    if (request.hasBody && route !== undefined && route.takesBody !== true) return bodyUnexpected;
    if (isLineTooLong) return tooLong;
    derived.isAcceptable = true;
    return undefined;
  };
}

function isWellFormed(request: Request): boolean {
  if (!targetBytes.test(request.target)) return false;
  return request.version === '2'
    ? hasOneAuthority(request)
    : hasOneHost(request) && !isMisframed(request);
}

/** A target has printable ASCII only; everything else is percent-encoded (RFC 3986 2). */
const targetBytes = /^[\x21-\x7e]+$/;

/**
 * A name or an address, and a port (RFC 9110 7.2). A comma is left out, though a name may contain one:
 * it would be two values in one line.
 */
const hostValue = /^(?:\[[\da-f:.]+\]|(?:[\w\-.~!$&'()*+;=]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * Whether the end of a message is in doubt: it has an unknown version, or a body in a transfer coding
 * other than `chunked` (RFC 9112 6.1, 6.3).
 */
function isMisframed({ version, headers }: Request): boolean {
  if (version === 'other') return true;
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return false;
  return version === '1.0' || String(coding).toLowerCase() !== 'chunked';
}

function hasOneHost(request: Request): boolean {
  const { host } = request.headers;
  if (host === undefined) return request.version === '1.0';
  return request.count('host') === 1 && hostValue.test(String(host));
}

/** RFC 9113 8.3.1: a `Host` field has the same value as the pseudo-header field. */
function hasOneAuthority({ headers }: Request): boolean {
  const { host, ':authority': authority } = headers;
  return host === undefined || authority === undefined || host === authority;
}

/** The parts of a request line besides method and target. */
const restOfLine = '  HTTP/1.1\r\n'.length;

function requestLineBytes({ method, target }: Request): number {
  return method.length + target.length + restOfLine;
}
