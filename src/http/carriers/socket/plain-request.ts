import { Readable } from 'node:stream';

import { LRUCache } from 'lru-cache';

import type { Peer, Request, RequestBody } from '../../handler/request.ts';

/** The GET or HEAD that a text is the whole of; undefined if it is anything else ({@link readPlainHead}). */
function plainRequest(text: string, peer: Peer): Request | undefined {
  const head = readPlainHead(text);
  return head === undefined ? undefined : requestOf(head, peer);
}

/** The POST that bytes are the whole of; undefined if they are anything else ({@link readPlainPost}). */
export function plainPost(bytes: Buffer, headBytesMax: number, peer: Peer): Request | undefined {
  const post = readPlainPost(bytes, headBytesMax);
  return post === undefined ? undefined : requestOf(post.head, peer, new WholeBody(post.body));
}

function requestOf({ method, target, headers }: PlainHead, peer: Peer, body?: WholeBody): Request {
  return {
    peer,
    method,
    target,
    version: '1.1',
    headers,
    count: (name) => (name in headers ? 1 : 0),
    hasBody: body !== undefined,
    keepsAlive: true,
    headBytes: undefined,
    body,
    head: undefined,
  };
}

/** The head of a request without any doubt about a byte. */
interface PlainHead {
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** The path and the query as sent. */
  readonly target: string;
  /** By name in lower case. Each was there once. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A GET or HEAD of HTTP/1.1 in origin form, with header fields in plain ASCII, and nothing after it. */
const plainHead =
  /^(GET|HEAD) (\/[\w\-.~%,&=+:/@!$'()*;?]*) HTTP\/1\.1\r\n((?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e]*\r\n)+)\r\n$/;

/** The same for a POST, whose body follows. */
const plainPostHead =
  /^(POST) (\/[\w\-.~%,&=+:/@!$'()*;?]*) HTTP\/1\.1\r\n((?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e]*\r\n)+)\r\n$/;

/** A length in its simplest form. */
const plainLength = /^[1-9]\d{0,8}$/;

/** Fields that announce more than a head and a body of known length, or a change of the connection. */
const framing: readonly string[] = [
  'expect',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Reads the head of a request if it is the simplest possible: the whole of one GET or HEAD, without any
 * doubt about a byte. Everything else is left to a real parser, to read or to refuse. So nothing is
 * accepted here that the parser would not accept with the same meaning.
 *
 * Source: RFC 9112 3, 5 and 6.
 */
export function readPlainHead(text: string): PlainHead | undefined {
  const head = readHead(plainHead, text);
  return head !== undefined && 'content-length' in head.headers ? undefined : head;
}

/**
 * Reads a POST in the same way, if the bytes are its head and the whole of a body of known length, and nothing
 * else.
 *
 * @param headBytesMax the maximum length of the head.
 */
export function readPlainPost(
  bytes: Buffer,
  headBytesMax: number,
): { readonly head: PlainHead; readonly body: Buffer } | undefined {
  if (bytes[0] !== firstOfPost) return undefined;
  const end = bytes.indexOf(headEnd) + headEnd.length;
  if (end < headEnd.length || end > headBytesMax) return undefined;
  const head = readHead(plainPostHead, bytes.toString('latin1', 0, end));
  const length = head?.headers['content-length'] ?? '';
  if (head === undefined || !plainLength.test(length)) return undefined;
  return Number(length) === bytes.length - end ? { head, body: bytes.subarray(end) } : undefined;
}

const firstOfPost = 0x50;
const headEnd = '\r\n\r\n';

function readHead(form: RegExp, text: string): PlainHead | undefined {
  const [, method, target, lines] = form.exec(text) ?? [];
  if (target === undefined || lines === undefined) return undefined;
  const headers: Record<string, string> = Object.create(null);
  for (let at = 0; at < lines.length;) {
    const colon = lines.indexOf(':', at);
    const end = lines.indexOf('\r\n', colon);
    const name = lines.slice(at, colon).toLowerCase();
    // The meaning of a repeated field differs from field to field.
    if (name in headers) return undefined;
    headers[name] = lines.slice(colon + 1, end).trim();
    at = end + 2;
  }
  if (headers['host'] === undefined || framing.some((name) => name in headers)) return undefined;
  const { connection } = headers;
  const isKept = connection === undefined || connection.toLowerCase() === 'keep-alive';
  return isKept ? { method: method as PlainHead['method'], target, headers } : undefined;
}

/** A body that has arrived as a whole, together with its head. */
class WholeBody implements RequestBody {
  readonly #bytes: Buffer;
  #stream: Readable | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Made only when it is needed: most routes that read a body take it as a whole. */
  get stream(): Readable {
    this.#stream ??= Readable.from([this.#bytes], { objectMode: false });
    return this.#stream;
  }

  isComplete(): boolean {
    return true;
  }

  takeWhole(): Uint8Array | undefined {
    return this.#bytes;
  }

  isCut(): boolean {
    return false;
  }

  proceed(): void {
    // The client did not wait: its body is here.
  }
}

/** Up to this length a request is remembered. */
const bytesMax = 1_024;

/** Maximum number of requests that are remembered of all proxies, with a few kilobytes for each. */
const proxiedMax = 2_048;

/**
 * What was read from requests, for when the same bytes come again: a client that polls sends them every time.
 *
 * What was read is kept from the second time on. Of a request that comes once it would only outlive
 * collections of garbage.
 */
export interface RequestMemory {
  /** The request that a text is the whole of; undefined if it is no plain one. */
  read(text: string, peer: Peer): Request | undefined;
}

/** Remembers the last request of one connection. */
export class LastRequest implements RequestMemory {
  #text = '';
  #request: Request | undefined;

  read(text: string, peer: Peer): Request | undefined {
    const isRepeated = text === this.#text;
    if (isRepeated && this.#request !== undefined) return this.#request;
    const request = plainRequest(text, peer);
    this.#text = text.length <= bytesMax ? text : '';
    this.#request = isRepeated ? request : undefined;
    return request;
  }
}

/**
 * Remembers requests of all connections of the operator's own proxies. A proxy sends what its clients poll
 * over any of its connections, so on each of them every request differs from the one before.
 */
export class ProxiedRequests implements RequestMemory {
  readonly #known = new LRUCache<string, Request | 'came once'>({ max: proxiedMax });

  read(text: string, peer: Peer): Request | undefined {
    const known = this.#known.get(text);
    // The address of the proxy is a part of what is read from a request.
    if (typeof known === 'object' && known.peer.address === peer.address) return known;
    const request = plainRequest(text, peer);
    if (request === undefined || text.length > bytesMax) return request;
    if (known === undefined) {
      this.#known.set(text, 'came once');
      return request;
    }
    // Its peer is its own: what is found out about its key stays known when other keys use the connection.
    const kept = { ...request, peer: { ...peer } };
    this.#known.set(text, kept);
    return kept;
  }
}
