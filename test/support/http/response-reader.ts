import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';

/** A header field. Names are in lower case. */
export type Field = readonly [name: string, value: string];

/** A response, independent of the carrier. */
export interface Response {
  readonly status: number;
  readonly fields: readonly Field[];
  /** The values of a field, joined as in RFC 9110 5.2. Undefined when the field is absent. */
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
  /** The status codes of the interim responses before it (RFC 9110 15.2). */
  readonly interim: readonly number[];
  /** Whether the server closes the connection after it. */
  readonly closes: boolean;
}

/** Maximum time to wait for a response or for the end of a connection, in milliseconds. */
export const waitMsMax = 180_000;

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Joins the values of a field. */
export function headerOf(fields: readonly Field[]): Response['header'] {
  return (name) => {
    const values = fields.filter(([own]) => own === name).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(', ');
  };
}

/**
 * Reads responses from a connection as a strict HTTP/1.1 client. A message that RFC 9112 does not allow a server
 * to send is an error, and so are bytes after the last response.
 */
export class ResponseReader implements Disposable {
  readonly #socket: Duplex;
  readonly #version: string;
  #received: Buffer = Buffer.alloc(0);
  /** What arrived after it. A long response arrives in hundreds of chunks, which are concatenated only once. */
  #arrived: Buffer[] = [];
  #length = 0;
  #hasEnded = false;
  #progress = Promise.withResolvers<void>();

  /** @param version the version of the requests, `1.0` or `1.1`. The framing of responses depends on it. */
  constructor(socket: Duplex, version: string) {
    this.#socket = socket;
    this.#version = version;
    socket.on('data', (chunk: Buffer) => {
      this.#arrived.push(chunk);
      this.#length += chunk.length;
      this.#wake();
    });
    // A server that does not read further closes the connection with a reset after its response.
    socket.on('error', () => undefined);
    for (const end of ['end', 'close']) {
      socket.on(end, () => {
        this.#hasEnded = true;
        this.#wake();
      });
    }
  }

  /** Reads the response to a request of a method. The body of an event stream is not waited for. */
  async next(method: string): Promise<Response> {
    const interim: number[] = [];
    for (;;) {
      const { status, fields } = parseHead(await this.#take(await this.#headLength()));
      if (status >= 200) return await this.#complete(method, { status, fields, interim });
      assert.equal(this.#version, '1.1', 'RFC 9110 15.2: an interim response to HTTP/1.0');
      assert.notEqual(status, 101, 'a change of protocol');
      interim.push(status);
    }
  }

  /** Waits until the server closes the connection. Bytes that arrive before are an error. */
  async end(): Promise<void> {
    await this.#until(() => this.#hasEnded, 'the connection stays open');
    assert.equal(this.#bytes().toString('latin1'), '', 'bytes after the last response');
  }

  /** Whether the server has closed the connection. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  async #complete(
    method: string,
    {
      status,
      fields,
      interim,
    }: {
      readonly status: number;
      readonly fields: readonly Field[];
      readonly interim: readonly number[];
    },
  ): Promise<Response> {
    const header = headerOf(fields);
    const closes = this.#closesAfter(header('connection'));
    const response = { status, fields, header, interim, closes };
    const [length, coding] = [header('content-length'), header('transfer-encoding')];
    assert.ok(
      length === undefined || coding === undefined,
      'RFC 9112 6.2: Content-Length with Transfer-Encoding',
    );
    assert.ok(
      coding === undefined || this.#version === '1.1',
      'RFC 9112 6.1: Transfer-Encoding to HTTP/1.0',
    );
    if (length !== undefined) assert.match(length, /^\d+$/, 'RFC 9110 8.6');
    if (status === 204) assert.equal(length ?? coding, undefined, 'RFC 9110 8.6, RFC 9112 6.1');
    const isStream = header('content-type')?.startsWith('text/event-stream') === true;
    if (method === 'HEAD' || status === 204 || status === 304 || isStream) {
      return { ...response, body: Buffer.alloc(0) };
    }
    if (length !== undefined) return { ...response, body: await this.#take(Number(length)) };
    assert.equal(coding ?? 'chunked', 'chunked');
    if (coding !== undefined) return { ...response, body: await this.#chunks() };
    assert.ok(closes, 'RFC 9112 6.3: a body without a length, on a connection that persists');
    await this.#until(() => this.#hasEnded, 'a body does not end');
    return { ...response, body: await this.#take(this.#length) };
  }

  /** RFC 9112 9.3: whether the connection persists, by the version and the `Connection` field. */
  #closesAfter(connection: string | undefined): boolean {
    const options = (connection ?? '').toLowerCase().split(/ *, */);
    return (
      options.includes('close') || (this.#version === '1.0' && !options.includes('keep-alive'))
    );
  }

  async #chunks(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (;;) {
      const line = (await this.#take(await this.#lengthTo('\r\n'))).toString('latin1');
      assert.match(line, /^[0-9A-Fa-f]+\r\n$/, 'RFC 9112 7.1');
      const size = Number.parseInt(line, 16);
      const data = await this.#take(size + 2);
      assert.equal(data.toString('latin1', size), '\r\n', 'RFC 9112 7.1');
      if (size === 0) return Buffer.concat(chunks);
      chunks.push(data.subarray(0, size));
    }
  }

  #headLength(): Promise<number> {
    return this.#lengthTo('\r\n\r\n');
  }

  async #lengthTo(mark: string): Promise<number> {
    await this.#until(
      () => this.#hasEnded || this.#bytes().includes(mark),
      `no ${JSON.stringify(mark)} in the response`,
    );
    const at = this.#bytes().indexOf(mark);
    assert.ok(at >= 0, `closed after: ${this.#received.toString('latin1').slice(0, 200)}`);
    return at + mark.length;
  }

  async #take(length: number): Promise<Buffer> {
    await this.#until(() => this.#hasEnded || this.#length >= length, 'a message stalls');
    assert.ok(this.#length >= length, 'RFC 9112 8: an incomplete message');
    const bytes = this.#bytes();
    this.#received = bytes.subarray(length);
    this.#length -= length;
    return bytes.subarray(0, length);
  }

  #bytes(): Buffer {
    if (this.#arrived.length > 0)
      this.#received = Buffer.concat([this.#received, ...this.#arrived.splice(0)]);
    return this.#received;
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () =>
        late.reject(
          new Error(`${what}, for ${waitMsMax} ms: ${this.#bytes().toString('latin1', 0, 200)}`),
        ),
      waitMsMax,
    );
    try {
      while (!holds()) await Promise.race([this.#progress.promise, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #wake(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }
}

/** RFC 9112 4 and 5: the status line and the field lines. */
function parseHead(bytes: Buffer): { readonly status: number; readonly fields: readonly Field[] } {
  const [statusLine = '', ...lines] = bytes.toString('latin1').slice(0, -4).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) [\t\x20-\x7e]*$/.exec(statusLine)?.[1];
  assert.ok(status !== undefined, `RFC 9112 4: ${JSON.stringify(statusLine)}`);
  const fields = lines.map((line): Field => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replaceAll(/^[\t ]+|[\t ]+$/g, '');
    assert.match(name, token, `RFC 9112 5: ${JSON.stringify(line)}`);
    assert.match(value, /^[\t\x20-\x7e]*$/, `RFC 9110 5.5: ${JSON.stringify(line)}`);
    return [name.toLowerCase(), value];
  });
  return { status: Number(status), fields };
}
