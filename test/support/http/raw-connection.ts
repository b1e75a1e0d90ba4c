import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

import { once, until } from '../wait.ts';
import type { RawAnswer } from './raw-http.ts';
import { ResponseReader } from './response-reader.ts';

/** A persistent connection that sends exactly the given bytes, and reads the responses one by one. */
export class RawConnection implements Disposable {
  readonly socket: Duplex;
  readonly #reader: ResponseReader;

  constructor(socket: Duplex) {
    this.socket = socket;
    this.#reader = new ResponseReader(socket, '1.1');
  }

  /** Opens a connection to a local port. */
  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
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
    const { status, fields, header, body } = await this.#reader.next('GET');
    const headers = new Map(fields.map(([name]) => [name, header(name) ?? '']));
    return { status, headers, body: body.toString() };
  }

  /** Waits until the server ends the connection. */
  async ended(): Promise<void> {
    await until('the connection ends', () => this.#reader.hasEnded);
  }

  [Symbol.dispose](): void {
    this.#reader[Symbol.dispose]();
  }
}
