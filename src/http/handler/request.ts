import type { Readable } from 'node:stream';

import type { ApiKeyRecord, KeyScope } from '../../domain/access/api-key.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import type { ResponseDraft, Fields } from './response.ts';

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
  head: object | undefined;
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

/** One path of a listener. */
export interface Route {
  /** GET answers HEAD too. */
  readonly method: 'GET' | 'POST';
  /** Without the base path. */
  readonly path: string;
  /** The scope of the keys that open it; undefined for an open path. */
  readonly scope: KeyScope | undefined;
  /** Whether it is answered over plain HTTP from any address, to a request without a key. */
  readonly isHealthCheck?: true;
  /** Whether a key in the path of the URL opens it too (contract 5.5). */
  readonly opensToUrlKeys?: boolean;
  /** Whether its response lasts until the client leaves. */
  readonly isStream?: true;
  /** Whether it reads the body of a request. */
  readonly takesBody?: true;
  /** Fields that replace standing fields of the same name. */
  readonly standing?: Readonly<Record<string, string>>;
  /** Answers an admitted request. A mistake or a fault may be thrown: it becomes a 500. */
  respond(context: RequestContext): ResponseDraft | Promise<ResponseDraft>;
}

/** What the path of a target names. */
export interface PathMatch {
  /** The path without a key: it may be logged and shown. */
  readonly path: string;
  /** The route of the path, whatever the method. */
  readonly at: Route | undefined;
  /** Whether the path began with the prefix of keys, which is no longer in it. */
  readonly hasKeyPrefix: boolean;
  /** The key of the path. Undefined without the prefix, and where the listener accepts no key in a URL. */
  readonly urlKey: string | undefined;
}

/** The client of a request, and the fields that every response to it has. */
export interface ClientInfo {
  /** The address of the client, which a trusted proxy may have named. */
  readonly remote: string;
  readonly fields: readonly Fields[];
}

/** What the handler reads from the head of a request, before anything is decided. */
export interface ParsedHead extends ClientInfo, PathMatch {
  /** The query as sent. */
  readonly query: string;
  /** The route that serves the path with the method; undefined if there is none. */
  readonly route: Route | undefined;
  /** The whole path of the route, or `unknown`: never what a client sent. */
  readonly routeName: string;
  /** What steps have derived from the head alone. They need not derive it again for the same bytes. */
  readonly derived: Derived;
}

/** See {@link ParsedHead}. Each is undefined until it is known. */
interface Derived {
  presentedKey: string | undefined;
  /** Whether the message breaks no rule. */
  isAcceptable: boolean | undefined;
  /** The format of the table that is requested. */
  tableFormat: Parsed<TableFormat> | undefined;
  /** The query without the parameters that the route does not know. */
  knownQuery: string | undefined;
}

/** Who waits for a response. */
export interface Caller {
  /** The key that opened the path; undefined before that, and on an open path. */
  key: ApiKeyRecord | undefined;
  /** Absent where the carrier does not report it. */
  readonly departure: Departure | undefined;
}

/** A request on its way through the steps. */
export interface RequestContext extends Caller {
  readonly request: Request;
  readonly head: ParsedHead;
  /** When it began, in epoch milliseconds. */
  readonly now: number;
  /** The fields that report the limit of the client. */
  limits: Fields | undefined;
  /** Whether the connection closes after the response, whatever the response is. */
  closes: boolean;
}

/** Decides about a request, or passes it to the next step. */
export type Step = (context: RequestContext) => ResponseDraft | undefined;
