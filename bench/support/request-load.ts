import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';

import { HttpConnection, requestText } from './http-connection.ts';

/** What is sent: the URL of a server, the targets in turn, and the fields of each request. */
export interface Sent {
  readonly url: string;
  readonly targets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests that are sent again and again, each connection with one in flight, as fast as the server responds. */
export interface RequestLoad extends Disposable {
  /** Opens the connections that the server has closed. */
  ready(): Promise<void>;
  /** Sends for some milliseconds, and returns the number of responses. */
  run(sent: Sent, ms: number): Promise<number>;
}

const connectionsMax = 32;

/** Sends over HTTP/1.1. */
export class Http1Load implements RequestLoad {
  readonly #port: number;
  readonly #isTls: boolean;
  readonly #connections: HttpConnection[] = [];

  constructor(url: string) {
    const { port, protocol } = new URL(url);
    this.#port = Number(port);
    this.#isTls = protocol === 'https:';
  }

  async ready(): Promise<void> {
    const open = this.#connections.filter(({ isOpen }) => isOpen);
    while (open.length < connectionsMax) {
      open.push(await HttpConnection.open(this.#port, { isTls: this.#isTls }));
    }
    this.#connections.splice(0, Infinity, ...open);
  }

  async run({ url, targets, headers }: Sent, ms: number): Promise<number> {
    const requests = targets.map((target) => requestText('GET', new URL(url + target), headers));
    const expected = statusOf(headers);
    const ends = performance.now() + ms;
    let sent = 0;
    let answered = 0;
    const repeat = (connection: HttpConnection, end: () => void): void => {
      if (performance.now() >= ends) return end();
      connection.exchange(requests[sent % requests.length] ?? '', (status) => {
        if (status !== expected) throw new Error(`a request got ${status}`);
        answered += 1;
        repeat(connection, end);
      });
      sent += 1;
    };
    const ended = this.#connections.map(
      (connection) => new Promise<void>((end) => repeat(connection, end)),
    );
    await Promise.all(ended);
    return answered;
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection[Symbol.dispose]();
  }
}

const sessionsMax = 4;
const streamsPerSession = 8;

/** Sends over HTTP/2. */
export class Http2Load implements RequestLoad {
  readonly #url: string;
  readonly #sessions: ClientHttp2Session[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async ready(): Promise<void> {
    const open = this.#sessions.filter(({ closed, destroyed }) => !closed && !destroyed);
    while (open.length < sessionsMax) {
      const session = connectHttp2(this.#url, { rejectUnauthorized: false });
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      session.once('connect', resolve).once('error', reject);
      await promise;
      open.push(session);
    }
    this.#sessions.splice(0, Infinity, ...open);
  }

  async run({ targets, headers }: Sent, ms: number): Promise<number> {
    const ends = performance.now() + ms;
    let answered = 0;
    const repeat = async (session: ClientHttp2Session): Promise<void> => {
      while (performance.now() < ends) {
        const target = targets[answered % targets.length] ?? '';
        await exchange(session, { ':path': target, ...headers }, statusOf(headers));
        answered += 1;
      }
    };
    const streams = this.#sessions.flatMap((session) =>
      Array.from({ length: streamsPerSession }, () => repeat(session)),
    );
    await Promise.all(streams);
    return answered;
  }

  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.destroy();
  }
}

function exchange(
  session: ClientHttp2Session,
  head: Readonly<Record<string, string>>,
  expected: number,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stream = session.request(head);
  stream.on('response', ({ ':status': status }) => {
    if (status !== expected) reject(new Error(`a request got ${status}`));
  });
  stream.on('error', reject).on('end', resolve).resume();
  return promise;
}

function statusOf(headers: Readonly<Record<string, string>>): number {
  return 'if-none-match' in headers ? 304 : 200;
}
