import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';

/** The interval in which the messages that are due are sent, in milliseconds. */
const tickMs = 1;

/** A source on this machine: the WebSocket of Primary, with its login, and responses to other paths. */
export class LocalSource implements AsyncDisposable {
  readonly httpUrl: string;
  readonly socketUrl: string;
  /** The bodies of responses, by path. */
  readonly bodies = new Map<string, string>();
  /** Called when a response was written. */
  onResponse: (path: string) => void = () => undefined;
  readonly #server: ReturnType<typeof createServer>;
  readonly #sockets: WebSocketServer;
  #next = Promise.withResolvers<WebSocket>();

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.#sockets = new WebSocketServer({ server });
    this.#sockets.on('connection', (socket) => this.#next.resolve(socket));
    const { port } = server.address() as AddressInfo;
    this.httpUrl = `http://127.0.0.1:${port}`;
    this.socketUrl = `ws://127.0.0.1:${port}`;
    server.on('request', ({ url = '' }, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-auth-token': 'token' });
      response.end(this.bodies.get(url));
      this.onResponse(url);
    });
  }

  static async start(): Promise<LocalSource> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LocalSource(server);
  }

  /** The next connection that is opened. */
  async connection(): Promise<WebSocket> {
    const socket = await this.#next.promise;
    this.#next = Promise.withResolvers();
    return socket;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

/** Calls `send` so many times per second, in each tick as often as it is due. */
export async function paced(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  send: () => void,
): Promise<void> {
  const begun = performance.now();
  for (let sent = 0; sent < perSecond * seconds;) {
    await sleep(tickMs);
    const due = Math.min(seconds, (performance.now() - begun) / 1_000) * perSecond;
    for (; sent < Math.floor(due); sent += 1) send();
  }
}
