import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const headEnd = '\r\n\r\n';
const lastChunk = Buffer.from('0\r\n\r\n');

/**
 * A keep-alive connection that sends prepared requests and only counts the bytes of the responses. It takes a
 * few microseconds per request. `node:http` takes a hundred, which on a shared core would be measured as the
 * server's.
 */
export class HttpConnection implements Disposable {
  readonly #socket: Socket;
  #answered: ((status: number) => void) | undefined;
  #status = 0;
  /** Number of outstanding bytes of the body. Undefined before the head, infinite for chunks. */
  #remaining: number | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => {
      throw error;
    });
    // Without this, a request on a connection that the server has closed would wait forever.
    socket.on('close', () => {
      if (this.isBusy) throw new Error('the connection was closed before the response');
    });
  }

  static async open(port: number, { isTls = false } = {}): Promise<HttpConnection> {
    const socket = isTls
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(port, '127.0.0.1');
    await once(socket, isTls ? 'secureConnect' : 'connect');
    return new HttpConnection(socket);
  }

  get isBusy(): boolean {
    return this.#answered !== undefined;
  }

  /** Whether the server has not closed it, as servers do with connections that are idle for some seconds. */
  get isOpen(): boolean {
    return this.#socket.writable;
  }

  /** Sends a request, and calls `answered` with the status when the response is complete. */
  exchange(request: string, answered: (status: number) => void): void {
    if (this.isBusy) throw new Error('a request is under way');
    if (!this.isOpen) throw new Error('the server has closed the connection');
    this.#answered = answered;
    this.#socket.write(request);
  }

  [Symbol.dispose](): void {
    this.#answered = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#remaining === undefined) this.#takeHead(chunk);
    else if (this.#remaining === Number.POSITIVE_INFINITY) this.#takeChunks(chunk);
    else this.#remaining -= chunk.length;
    if (this.#remaining !== 0) return;
    const answered = this.#answered;
    this.#answered = undefined;
    this.#remaining = undefined;
    answered?.(this.#status);
  }

  #takeHead(chunk: Buffer): void {
    const end = chunk.indexOf(headEnd);
    // The measured servers send a head in one piece, so it need not be assembled.
    if (end < 0) throw new Error('a response head arrived in pieces');
    const head = chunk.toString('latin1', 0, end).toLowerCase();
    this.#status = Number(head.slice(9, 12));
    const length = /\ncontent-length: (\d+)/.exec(head)?.[1];
    if (length !== undefined && this.#status !== 304) {
      this.#remaining = Number(length) - (chunk.length - end - headEnd.length);
    } else if (head.includes('\ntransfer-encoding: chunked')) {
      this.#remaining = Number.POSITIVE_INFINITY;
      this.#takeChunks(chunk);
    } else {
      this.#remaining = 0;
    }
  }

  #takeChunks(chunk: Buffer): void {
    if (chunk.subarray(-lastChunk.length).equals(lastChunk)) this.#remaining = 0;
  }
}

/** The text of a request. */
export function requestText(
  method: 'GET' | 'POST',
  url: URL,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'POST' ? `content-length: ${Buffer.byteLength(body)}\r\n` : '';
  return `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n${lines.join('')}${length}\r\n${body}`;
}
