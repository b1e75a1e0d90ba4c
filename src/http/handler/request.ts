import type { Readable } from 'node:stream';

/** The header fields of a request, by name in lower case. */
export type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The version of the message. `other` is a version that the connection cannot carry, or a request line
 * of another protocol: the end of such a message is in doubt.
 */
export type HttpVersion = '1.0' | '1.1' | '2' | 'other';

/**
 * The client's end of a connection. There is one object for each connection, so that it can be the key
 * of a cache that lives as long as the connection. A request that a proxy repeats has an object of its own.
 */
export interface Peer {
  readonly address: string;
  /** Whether the connection is encrypted by this service. */
  readonly isEncrypted: boolean;
}

/** The body of a request, for routes that read one. */
export interface RequestBody {
  /** The bytes as they arrive. The route may stop reading early. */
  readonly stream: Readable;
  /** Whether the last byte has arrived. */
  isComplete(): boolean;
  /**
   * Takes the body at once if all of it has arrived, and nothing has been read from the stream. Otherwise
   * undefined, always over HTTP/2, and the stream is untouched.
   */
  takeWhole(): Uint8Array | undefined;
  /** Whether the client left before the last byte arrived. */
  isCut(): boolean;
  /** Sends 100 Continue to a client that waits for it. */
  proceed(): void;
}

/** One request, as a carrier received it. Nothing has been decided about it. */
export interface Request {
  readonly peer: Peer;
  /** The method token as sent. */
  readonly method: string;
  /** The request target as sent; `*` where there is none (CONNECT over HTTP/2). */
  readonly target: string;
  readonly version: HttpVersion;
  readonly headers: HeaderFields;
  /** The number of field lines with a name, which is in lower case. */
  count(name: string): number;
  /** Whether a body follows the head. */
  readonly hasBody: boolean;
  /** Whether the client lets the connection stay open after the response. Always over HTTP/2. */
  readonly keepsAlive: boolean;
  /** The length of the head in bytes, where the carrier's parser does not limit it. */
  readonly headBytes: number | undefined;
  /** Absent where the carrier never has one. */
  readonly body: RequestBody | undefined;
  /** What the handler has read from the head. A carrier that gets the same bytes again reuses it. */
  reading: object | undefined;
}

/** How a carrier reports that the client left before it got a response. */
export interface Departure {
  /** Set by what the client waits for. Undefined if nothing can be saved. */
  onLeave: (() => void) | undefined;
}

/** The value of a field that a client may send several times, as one list. */
export function listOf(field: HeaderFields[string]): string | undefined {
  return typeof field === 'object' ? field.join(', ') : field;
}

/** The value of a field that a client sends once; undefined where it was sent several times. */
export function singleOf(field: HeaderFields[string]): string | undefined {
  return typeof field === 'object' ? undefined : field;
}

const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * The path and the query of a request target.
 *
 * The absolute form is accepted and its authority ignored (RFC 9112 3.2.2): this service does not
 * serve several hosts.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const withoutAuthority = target.replace(absoluteForm, '');
  return pathOf(withoutAuthority) === '' ? `/${withoutAuthority}` : withoutAuthority;
}

/** The text after the first `?`, as sent. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1);
}

/** The text before the first `?`, as sent. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}

/** Whether a target names a path. `*` (OPTIONS) and an authority (CONNECT) do not. */
export function isPath(target: string): boolean {
  return target.startsWith('/');
}

/** A path with its percent-encodings decoded, except those of delimiters; as sent if it is malformed. */
export function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
