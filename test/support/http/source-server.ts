import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { WebSocketServer, type WebSocket } from 'ws';

/** A key and a certificate, in PEM. */
interface CertificatePair {
  readonly key: string;
  readonly cert: string;
}

/** A request that the server received. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A healthy response of a source. */
export interface SourceResponse {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers one request, well or badly. */
export type Responder = (request: ReceivedRequest, response: ServerResponse) => void;

/** Decides what happens to a request for a WebSocket; `accept` opens it. */
export type Upgrader = (
  request: ReceivedRequest,
  socket: Duplex,
  accept: (use: (socket: WebSocket) => void, options?: { readonly answersPings: boolean }) => void,
) => void;

/** A local server in the place of a source. The test sets how it behaves, from request to request. */
export class SourceServer implements AsyncDisposable {
  /** With the scheme `http:` or `https:`. */
  readonly url: string;
  /** With the scheme `ws:` or `wss:`. */
  readonly socketUrl: string;
  readonly requests: ReceivedRequest[] = [];
  /** The messages of all WebSockets. */
  readonly messages: string[] = [];
  respond: Responder = (_, response) => response.writeHead(404).end();
  upgrade: Upgrader = (_, socket) => void socket.destroy();
  readonly #server: ReturnType<typeof createServer>;
  readonly #sockets = new Set<Duplex>();

  private constructor(server: ReturnType<typeof createServer>, isSecure: boolean) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.url = `${isSecure ? 'https' : 'http'}://localhost:${port}`;
    this.socketUrl = `${isSecure ? 'wss' : 'ws'}://localhost:${port}`;
    const webSockets = {
      answering: new WebSocketServer({ noServer: true }),
      deaf: new WebSocketServer({ noServer: true, autoPong: false }),
    };
    server.on('connection', (socket: Duplex) => this.#keep(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#answer(request, response);
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => undefined);
      const one = { ...headOf(request), body: '' };
      this.requests.push(one);
      this.upgrade(one, socket, (use, { answersPings } = { answersPings: true }) => {
        const accepting = answersPings ? webSockets.answering : webSockets.deaf;
        accepting.handleUpgrade(request, socket, head, (webSocket) => {
          webSocket.on('error', () => undefined);
          webSocket.on('message', (data: Buffer) => this.messages.push(data.toString()));
          use(webSocket);
        });
      });
    });
  }

  static async start(certificate?: CertificatePair): Promise<SourceServer> {
    const server = certificate === undefined ? createServer() : createTlsServer(certificate);
    server.on('clientError', (_, socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return new SourceServer(server, certificate !== undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = await received(request);
    this.requests.push(one);
    this.respond(one, response);
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
  }
}

function headOf({
  method = '',
  url = '',
  headers,
}: IncomingMessage): Omit<ReceivedRequest, 'body'> {
  return { method, url, headers };
}

async function received(request: IncomingMessage): Promise<ReceivedRequest> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return { ...headOf(request), body: Buffer.concat(parts).toString() };
}

/** Answers as a healthy source does. Supports conditional requests by `ETag`. */
export function healthy(
  respond: (request: ReceivedRequest) => SourceResponse | undefined,
): Responder {
  return (request, response) => {
    const found = respond(request);
    if (found === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}');
      return;
    }
    const etag = `"${createHash('sha256').update(found.body).digest('hex').slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else {
      const headers = { 'content-type': 'application/json', etag, ...found.headers };
      response.writeHead(200, headers).end(found.body);
    }
  };
}

/** Answers every request with a status, headers and a body. */
export function fixed(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Responder {
  return (_, response) => void response.writeHead(status, headers).end(body);
}

const json = { 'content-type': 'application/json' };

/** Never answers. */
export const hang: Responder = () => undefined;

/** Sends one byte of a body after the other, for ever. */
export const drip: Responder = (_, response) => {
  response.writeHead(200, json).write('[');
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

/** Sends the beginning of a body, and nothing more. */
export const stall: Responder = (_, response) => void response.writeHead(200, json).write('[');

/** Sends a body without an end, as fast as it is taken. */
export const endless: Responder = (_, response) => {
  response.writeHead(200, json);
  const part = Buffer.alloc(65_536, ' ');
  const send = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', send);
  send();
};

/** A small body that is 64 MiB when it is decompressed. */
const bomb = gzipSync(Buffer.alloc(64 * 1_048_576, ' '), { level: 1 });

/** Sends a small body that is far over every limit when it is decompressed. */
export const gzipBomb: Responder = (_, response) => {
  response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb);
};

/** Announces more than it sends, then closes the connection. */
export function truncate(body: string): Responder {
  return (_, response) => {
    response.writeHead(200, { ...json, 'content-length': String(Buffer.byteLength(body)) });
    response.write(body.slice(0, body.length / 2), () => response.socket?.end());
  };
}

/** Resets the connection in the middle of a body. */
export function reset(body: string): Responder {
  return (_, response) => {
    response.writeHead(200, json);
    response.write(body.slice(0, body.length / 2), () => response.socket?.resetAndDestroy());
  };
}
