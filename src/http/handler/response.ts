import type { Clock } from '../../lib/time/clock.ts';
import { Fields } from './fields.ts';
import type { ResponseDraft } from './response-draft.ts';

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
