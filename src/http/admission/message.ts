import type { errorResponse } from '../../wire/texts/error-texts.ts';
import { draftOf } from '../handler/response-draft.ts';
import type { Request } from '../handler/request.ts';
import type { Step } from '../handler/visit.ts';

/** Limits on the size of a message. */
export interface MessageLimits {
  /** Maximum length of a request line (method, target, version), in bytes. Longer ones get 414. */
  readonly requestLineBytesMax: number;
  /**
   * Maximum length of the target and of all header names and values, in bytes, without separators.
   * Longer heads get 431, and the connection closes.
   */
  readonly requestHeadBytesMax: number;
}

/**
 * Notes that the connection closes after a message whose end is in doubt, or whose body is not read,
 * whatever the status of the response. Bytes that follow are never read as a request.
 *
 * This is the first step, so that a refusal by any later step closes the connection too. The message itself is
 * refused by {@link refuseBadMessages}, after its key was checked.
 */
export const closeAfterDoubt: Step = (visit) => {
  const { request, reading } = visit;
  // A client that waits for 100 (Continue) may send its next request instead of the body.
  const mayBeRead = reading.route?.takesBody === true && request.headers['expect'] === undefined;
  const isUnread = request.hasBody && !mayBeRead;
  if (request.version !== '2' && (isUnread || isMisframed(request))) visit.closes = true;
  return undefined;
};

/**
 * Refuses messages that servers could read differently: a version that the connection cannot carry, a
 * request line of another protocol, an unknown transfer coding, no valid `Host` or several (RFC 9112
 * 3.2), a target with bytes that must be encoded, a body where none is read, and heads over the limits.
 */
export function refuseBadMessages(limits: MessageLimits, errors: typeof errorResponse): Step {
  const { requestLineBytesMax, requestHeadBytesMax } = limits;
  const malformed = { ...draftOf(errors('request-malformed')), closes: true };
  const tooLong = draftOf(errors('target-too-long', { max: requestLineBytesMax }));
  const tooLarge = draftOf(errors('headers-too-large'));
  const bodyUnexpected = draftOf(errors('body-unexpected'));
  return ({ request, reading: { route, derived } }) => {
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
