import type { Writable } from 'node:stream';

import type { Clock } from '../../lib/time/clock.ts';
import type { ErrorResponse } from '../../wire/texts/error-texts.ts';

/**
 * Header fields of a response, in order. Fields that many responses share are built once: the lines of
 * an HTTP/1.1 head are made at the first use and kept.
 */
export class Fields {
  static readonly none = new Fields([]);

  /** Names in lower case, and values, in turn. */
  readonly list: readonly string[];
  #lines: string | undefined;

  constructor(list: readonly string[]) {
    this.list = list;
  }

  static of(fields: Readonly<Record<string, string>>): Fields {
    return new Fields(Object.entries(fields).flat());
  }

  /** The fields as lines of a head, each with its line end. */
  get lines(): string {
    return (this.#lines ??= linesOf(this.list));
  }
}

/** The text is joined once. A text built with `+=` stays a tree that every write has to walk. */
function linesOf(list: readonly string[]): string {
  const lines: string[] = [];
  for (let at = 0; at < list.length; at += 2) lines.push(`${list[at]}: ${list[at + 1]}\r\n`);
  return lines.join('');
}

/** Of a few constants each: names of request fields, separated by commas. */
type Names = string | undefined;

/**
 * The `Vary` fields of a listener's responses: the request fields that one answer depends on, and
 * those that every response depends on, in one line (RFC 9110 12.5.5).
 */
export class VaryFields {
  readonly #known = new Map<Names, Map<Names, Fields>>();

  on(own: Names, always: Names): Fields {
    const others = this.#known.getOrInsertComputed(own, () => new Map<Names, Fields>());
    return others.getOrInsertComputed(always, () => {
      const names = [own, always].filter((one) => one !== undefined).join(', ');
      return names === '' ? Fields.none : Fields.of({ vary: names });
    });
  }
}

/**
 * The fields of every response. Quotes are for the holder of a key (`private`) and change at any
 * moment, so a cache must revalidate before it uses one again (`no-cache`). Except for the pages of the
 * playground, which replace these fields, no response is a page: a browser that is made to show one as
 * a page may do nothing with it.
 */
export const standingFields = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * The fields of every response to a request whose path has the prefix of keys, errors included. The URL
 * is a secret: no cache stores the response (RFC 6750 2.3), no page that shows it names the URL as its
 * referrer, and no search engine that finds the URL lists it.
 */
export const urlKeyFields = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

/** The media type of every JSON response, errors included. */
export const jsonType = 'application/json; charset=utf-8';

/**
 * Bytes as they are written: in order, a text standing for the bytes of its Latin-1 form. A short body
 * is one text, because it is then sent together with the head in one write.
 */
export type BodyParts = readonly (string | Buffer)[];

/** Where a response without an end is written to. */
export type StreamSink = Pick<Writable, 'write' | 'end' | 'destroy' | 'on'>;

/**
 * What a step or a route decides about a request. The handler adds the fields that every response
 * has, and leaves out the body where the method is HEAD.
 */
export interface ResponseDraft {
  readonly status: number;
  readonly fields: readonly Fields[];
  readonly body: BodyParts;
  /** The request fields that the answer depends on, for `Vary`. */
  readonly vary?: string;
  /** Writes the body of a response that lasts until the client leaves. The connection closes with it. */
  readonly stream?: (sink: StreamSink) => void;
  /** Whether the connection is of no further use. */
  readonly closes?: boolean;
  /** Of an error: what it was made of, for a path whose errors have another form. */
  readonly made?: { readonly of: ErrorResponse; readonly fields: readonly Fields[] };
}

/** Up to this length a body is one text, so that it is sent together with the head in one write. */
export const textBytesMax = 8 * 1024;

/** A body of text with its media type and length. */
export function textDraft(
  status: number,
  {
    type,
    text,
    fields = [],
  }: { readonly type: string; readonly text: string; readonly fields?: readonly Fields[] },
): ResponseDraft {
  const length = Buffer.byteLength(text);
  const fieldsOfAll = [bodyFields(type, length), ...fields];
  if (length > textBytesMax) return { status, fields: fieldsOfAll, body: [Buffer.from(text)] };
  // ASCII is the same in Latin-1.
  const isAscii = length === text.length;
  const body = isAscii ? text : Buffer.from(text).toString('latin1');
  return { status, fields: fieldsOfAll, body: [body] };
}

/** A body that is JSON text already. */
export function jsonDraft(
  text: string,
  status = 200,
  fields: readonly Fields[] = [],
): ResponseDraft {
  return textDraft(status, { type: jsonType, text, fields });
}

/** An error, with fields of its own. */
export function errorDraft(error: ErrorResponse, fields: readonly Fields[] = []): ResponseDraft {
  return { ...jsonDraft(error.body, error.status, fields), made: { of: error, fields } };
}

/** A draft with its error, if it is one, in another form. The form may be the same. */
export function inOtherForm(
  draft: ResponseDraft,
  form: (error: ErrorResponse) => ErrorResponse,
): ResponseDraft {
  if (draft.made === undefined) return draft;
  const { of, fields } = draft.made;
  const other = form(of);
  return other === of ? draft : { ...draft, ...errorDraft(other, fields) };
}

/** The fields that describe a body. */
export function bodyFields(type: string, length: number, more: readonly string[] = []): Fields {
  return new Fields(['content-type', type, 'content-length', String(length), ...more]);
}

/** The fields that name what a response lacks (contract 4.1.5): names and values in turn. */
export function missingFields(
  names: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return Object.entries(names).flatMap(([field, missing]) => {
    if (missing.length === 0) return [];
    const value = missingHeader(missing);
    // An entry is a date or `TICKER:date`. A ticker has no colon, so this one needs no encoding.
    return [field, field === 'missing-dividendos' ? value.replaceAll('%3A', ':') : value];
  });
}

/** Maximum number of tickers that the header names; it counts the others (contract 4.1.5). */
export const missingNamesMax = 50;

/**
 * Maximum size of the names, in bytes. Fifty tickers of maximum length fit. Longer names are not
 * tickers, and many clients refuse headers of more than 16 KiB.
 */
export const missingHeaderBytesMax = 4096;

/**
 * The value of the `Missing-Especies` header (contract 4.1.5): percent-encoded names, separated by
 * commas, then `…+N` for N further ones. A header value is ASCII (RFC 9110 5.5), so the ellipsis is
 * percent-encoded too: `%E2%80%A6+N`. The plus is not, so that decoding gives `…+N`.
 *
 * @param missing the tickers, at least one.
 */
function missingHeader(missing: readonly string[]): string {
  const named: string[] = [];
  let bytes = 0;
  for (const name of missing.slice(0, missingNamesMax)) {
    const encoded = encodeURIComponent(name);
    bytes += encoded.length + 1;
    if (bytes > missingHeaderBytesMax) break;
    named.push(encoded);
  }
  const unnamed = missing.length - named.length;
  if (unnamed > 0) named.push(`${encodeURIComponent('…')}+${unnamed}`);
  return named.join(',');
}

/** When a client may send the request again. */
export function retryAfter(seconds: number): Fields {
  return new Fields(['retry-after', String(seconds)]);
}

/** What a route throws that cannot answer in time: the client gets 503 with `Retry-After`. */
export class Overloaded extends Error {}

/** What the metrics and the access log say about a request. */
interface Account {
  /** The path of the route, or `unknown`: never what a client sent. */
  readonly route: string;
  readonly method: string;
  /** The path of the request, without the query. */
  readonly path: string;
  readonly remote: string;
  readonly keyId: string | undefined;
}

/** A whole response. A carrier writes it as it is. */
export interface Response extends Pick<ResponseDraft, 'status' | 'body' | 'stream'> {
  /** All fields except `Date` and those of the connection, in order. */
  readonly fields: readonly Fields[];
  /** Whether the connection closes after it, whatever the client asks for. */
  readonly closes: boolean;
  /** Whether the rest of the request's body is read before the connection closes. */
  readonly drainsBody: boolean;
  readonly account: Account;
}

const closing = Fields.of({ connection: 'close' });

/**
 * Writes the heads of responses, for every carrier: the fields of the response, then those of the
 * connection, then `Date`.
 */
export class ResponseHeads {
  readonly #clock: Clock;
  readonly #kept: Fields;
  #dateSecond = -1;
  #date = Fields.none;

  /** @param options.keepAliveTimeoutMs how long an idle connection stays open; clients are told. */
  constructor(options: { readonly clock: Clock; readonly keepAliveTimeoutMs: number }) {
    this.#clock = options.clock;
    const timeout = `timeout=${Math.floor(options.keepAliveTimeoutMs / 1_000)}`;
    this.#kept = Fields.of({ connection: 'keep-alive', 'keep-alive': timeout });
  }

  /** The head as the text of HTTP/1.1, from the status line to the empty line. */
  text(response: Response, closes: boolean): string {
    let text = statusLine(response.status);
    for (const fields of response.fields) text += fields.lines;
    return `${text}${(closes ? closing : this.#kept).lines}${this.#dateNow().lines}\r\n`;
  }

  /** The fields of an HTTP/1.1 head, names and values in turn. */
  list(response: Response, closes: boolean): string[] {
    const list: string[] = [];
    for (const fields of response.fields) list.push(...fields.list);
    list.push(...(closes ? closing : this.#kept).list, ...this.#dateNow().list);
    return list;
  }

  /** The fields of an HTTP/2 head. Fields of the connection do not exist there (RFC 9113 8.2.2). */
  multiplexed(response: Response): string[] {
    const list = [':status', String(response.status)];
    for (const fields of response.fields) list.push(...fields.list);
    list.push(...this.#dateNow().list);
    return list;
  }

  #dateNow(): Fields {
    const now = this.#clock.now();
    const second = Math.floor(now / 1_000);
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#date = Fields.of({ date: new Date(now).toUTCString() });
    }
    return this.#date;
  }
}

/** The statuses of the contract with their names (RFC 9110 15, RFC 6585). */
const statusNames: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  304: 'Not Modified',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const statusLines = new Map(
  Object.entries(statusNames).map(([status, name]) => [
    Number(status),
    `HTTP/1.1 ${status} ${name}\r\n`,
  ]),
);

/** A status without a name is valid too (RFC 9112 4). */
function statusLine(status: number): string {
  return statusLines.get(status) ?? `HTTP/1.1 ${status} \r\n`;
}
