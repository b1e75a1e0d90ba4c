import type { Clock } from '../../lib/clock.ts';
import { STATUS_CODES } from '../../lib/node-http.ts';
import { Fields } from './fields.ts';
import type { Response } from './response.ts';

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

const statusLines = new Map<number, string>();

function statusLine(status: number): string {
  const known = statusLines.get(status);
  if (known !== undefined) return known;
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  statusLines.set(status, line);
  return line;
}
