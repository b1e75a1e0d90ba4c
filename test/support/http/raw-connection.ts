import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { parseAnswer, type RawAnswer } from './raw-http.ts';
import { once, until, within } from '../wait.ts';
import { deferred } from '../wait.ts';

/** A persistent connection that sends exactly the given bytes, and parses the responses one by one. */
export class RawConnection implements Disposable {
  readonly socket: Duplex;
  #received = Buffer.alloc(0);
  #chunks: Buffer[] = [];
  #length = 0;
  /** Minimum length of the response that is being received, in bytes. */
  #lengthMin = 1;
  #hasEnded = false;
  #news = deferred<void>();

  constructor(socket: Duplex) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      this.#tell();
    });
    socket.on('error', () => undefined);
    for (const end of ['end', 'close']) {
      socket.on(end, () => {
        this.#hasEnded = true;
        this.#tell();
      });
    }
  }

  /** Opens a connection to a local port. */
  static async open(port: number): Promise<RawConnection> {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /**
   * Opens a connection that the socket carrier has passed to Node's HTTP server. It does so at the first
   * request with a header that announces a body.
   */
  static async openAtNode(port: number): Promise<RawConnection> {
    const connection = await RawConnection.open(port);
    await connection.passToNode();
    return connection;
  }

  /** See {@link openAtNode}. */
  async passToNode(): Promise<void> {
    await this.ask('GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  }

  /** Sends bytes, and returns the next response. */
  async ask(bytes: string): Promise<RawAnswer> {
    this.socket.write(bytes, 'latin1');
    return this.next();
  }

  /** The next response to a request other than HEAD. */
  async next(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#take();
      if (answer !== undefined) return answer;
      if (this.#hasEnded) throw new Error(`the connection ended: ${this.#received.toString()}`);
      await within('the next response', this.#news.promise);
    }
  }

  /** Waits until the server ends the connection. */
  async ended(): Promise<void> {
    await until('the connection ends', () => this.#hasEnded);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = deferred();
  }

  #take(): RawAnswer | undefined {
    // A long response arrives in hundreds of chunks, which are concatenated only once.
    if (this.#length < this.#lengthMin) return undefined;
    this.#received = Buffer.concat([this.#received, ...this.#chunks.splice(0)]);
    const headEnd = this.#received.indexOf('\r\n\r\n') + 4;
    if (headEnd < 4) {
      this.#lengthMin = this.#length + 1;
      return undefined;
    }
    const { headers } = parseAnswer(this.#received.toString('latin1', 0, headEnd));
    this.#lengthMin = headEnd + Number(headers.get('content-length') ?? 0);
    if (this.#length < this.#lengthMin) return undefined;
    const answer = parseAnswer(this.#received.toString('utf8', 0, this.#lengthMin));
    this.#received = this.#received.subarray(this.#lengthMin);
    this.#length -= this.#lengthMin;
    this.#lengthMin = 1;
    return answer;
  }
}
