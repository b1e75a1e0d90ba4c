import type { IncomingHttpHeaders } from 'node:http2';

import type { HeaderFields } from '../../handler/request.ts';

/** Up to this length the last head of a session is remembered, in characters. */
const rememberedLengthMax = 1_024;

/** The head of a request over HTTP/2, with what was read from it. */
export interface Http2Head {
  /** Names and values in turn, as received. */
  readonly raw: readonly string[];
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderFields;
  /** The length of all names and values. */
  readonly bytes: number;
  /** What the handler has read from it. */
  parsed: object | undefined;
}

/** Reads a head. */
export function readHttp2Head(headers: IncomingHttpHeaders, raw: readonly string[]): Http2Head {
  const isRepeated = Object.keys(headers).length * 2 !== raw.length;
  let bytes = 0;
  for (const text of raw) bytes += text.length;
  return {
    raw,
    method: headers[':method'] ?? '',
    // CONNECT has no path.
    target: headers[':path'] ?? '*',
    // Of many fields that are lists, Node keeps the first line only.
    headers: isRepeated ? joinedHeaders(raw) : headers,
    bytes,
    parsed: undefined,
  };
}

/**
 * The last head of a session. A client that polls sends the same head again, and what was read from it need not
 * be read again. It is held no longer than the session.
 */
export class LastHead {
  #last: Http2Head | undefined;

  /** The head of a request: the same object as before if the request has the same fields in the same order. */
  of(headers: IncomingHttpHeaders, raw: readonly string[]): Http2Head {
    const last = this.#last;
    if (last !== undefined && areEqual(last.raw, raw)) return last;
    const head = readHttp2Head(headers, raw);
    this.#last = head.bytes <= rememberedLengthMax ? head : undefined;
    return head;
  }
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  // The values that change from one request to the next are usually the last ones.
  for (let at = a.length - 1; at >= 0; at -= 1) if (a[at] !== b[at]) return false;
  return true;
}

/** The values of each name, in order, as one list (RFC 9110 5.3). */
function joinedHeaders(raw: readonly string[]): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    const before = joined[name];
    // Of these fields the first line counts, as over HTTP/1.1.
    if (before === undefined) joined[name] = value;
    else if (!singleFields.has(name)) joined[name] = `${before}, ${value}`;
  }
  return joined;
}

const singleFields: ReadonlySet<string> = new Set(['authorization', 'if-modified-since']);
