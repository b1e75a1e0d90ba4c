import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Clock } from '../../lib/time/clock.ts';
import type { Pause } from '../../lib/time/pause.ts';
import { FeedFault } from '../contract/feed.ts';
import type { ExchangeObserver, NetworkOptions, SocketLimits } from '../contract/network.ts';
import { faultOfStatus, networkFault } from './network-fault.ts';
import { authoritiesWith } from '../../lib/network/trusting-fetch.ts';

/** The maximum time for a source to answer a close, in milliseconds. */
const closeMsMax = 1_000;

/** Where a connection leads to. */
interface SocketTarget {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in this order as soon as the connection is open. */
  readonly subscribe?: readonly string[];
}

/** How a connection is opened and checked. */
export interface ConnectionOptions {
  /**
   * Called for each connection, so that a replaced key takes effect. It may request a token first.
   *
   * @throws FeedFault without a key, or when the source gives no token.
   */
  readonly connect: (signal: AbortSignal) => SocketTarget | Promise<SocketTarget>;
  /** The source's own ping, where it does not answer the ping of WebSocket (RFC 6455 5.5.2). */
  readonly ping?: () => string;
  readonly limits: SocketLimits;
}

/** What a connection is built from. */
export interface ConnectionDeps {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly network?: NetworkOptions;
}

/** What a connection reports. */
interface ConnectionEvents {
  readonly signal: AbortSignal;
  readonly onMessage: (text: string, connection: SocketConnection) => void;
  readonly onLost: (connection: SocketConnection, fault: unknown) => void;
}

/** One WebSocket connection that is open and subscribed. */
export class SocketConnection {
  /** Why the connection was lost; undefined while it is open. */
  lost: unknown;
  readonly observer: ExchangeObserver | undefined;
  readonly #socket: WebSocket;
  readonly #url: URL;
  readonly #closing = new AbortController();
  #isAlive = true;
  /** Receives the fault of a connection that is lost before it is open. */
  #onLost: ((fault: FeedFault) => void) | undefined;
  #onLostWhenOpen: (fault: FeedFault) => void = () => undefined;

  private constructor(socket: WebSocket, url: URL, observer: ExchangeObserver | undefined) {
    this.#socket = socket;
    this.#url = url;
    this.observer = observer;
  }

  /** @throws FeedFault when the source does not accept the connection. */
  static async open(
    { connect, limits, ping }: ConnectionOptions,
    { clock, pause, network = {} }: ConnectionDeps,
    events: ConnectionEvents,
  ): Promise<SocketConnection> {
    // Loaded with the first connection, so that a start without such a source does not wait for it.
    const ws = await import('ws');
    events.signal.throwIfAborted();
    const { url, headers = {}, subscribe = [] } = await connect(events.signal);
    events.signal.throwIfAborted();
    const { ca, userAgent, observer } = network;
    const exchange = observer?.exchange({ kind: 'socket', method: 'GET', url });
    const socket = new ws.WebSocket(url, {
      headers: {
        'user-agent': 'Pizarra',
        ...headers,
        ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
      },
      ...(ca === undefined ? {} : { ca: authoritiesWith(ca) }),
      handshakeTimeout: limits.handshakeMs,
      maxPayload: limits.messageBytesMax,
      followRedirects: false,
      // Messages are small; compressed, they would cost more processor time than bandwidth.
      perMessageDeflate: false,
    });
    const connection = new SocketConnection(socket, url, exchange);
    const stop = (): void => connection.close();
    events.signal.addEventListener('abort', stop, { signal: connection.#closing.signal });
    // The first messages may come together with the response that opens the connection.
    connection.#listen(events);
    await connection.#opened(clock);
    for (const message of subscribe) connection.#send(message);
    void connection.#watchIdle({ limits, ping, pause });
    return connection;
  }

  #send(message: string): void {
    this.#socket.send(message);
    this.observer?.sent(message);
  }

  close(): void {
    this.#closing.abort();
    this.#socket.close(1000);
    // A source that does not answer the close must not keep the socket open.
    setTimeout(() => this.#socket.terminate(), closeMsMax).unref();
  }

  /** @throws FeedFault when the connection is lost before it is open. */
  async #opened(clock: Clock): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#onLost = reject;
    this.#socket.once('open', resolve);
    this.#socket.once('upgrade', (response) => this.#observe(response));
    this.#socket.once('unexpected-response', (_, response) => {
      this.#observe(response);
      const { statusCode = 0, headers } = response;
      const retryAfter = headers['retry-after'];
      this.#lose(faultOfStatus(this.#url, { status: statusCode, retryAfter, now: clock.now() }));
    });
    await promise;
    this.#onLost = undefined;
  }

  #observe({ statusCode = 0, headers }: IncomingMessage): void {
    const header = (name: string): string | undefined => headers[name]?.toString();
    this.observer?.responded({ status: statusCode, header });
  }

  #listen({ onMessage, onLost }: ConnectionEvents): void {
    const { origin } = this.#url;
    this.#socket.on('message', (data, isBinary) => {
      this.#isAlive = true;
      if (this.#closing.signal.aborted) return;
      if (!isBinary) onMessage((data as Buffer).toString('utf8'), this);
      else this.#lose(new FeedFault('unintelligible', `${origin} sent a binary message`));
    });
    this.#socket.on('ping', () => void (this.#isAlive = true));
    this.#socket.on('pong', () => void (this.#isAlive = true));
    this.#socket.on('error', (error: NodeJS.ErrnoException) => {
      const isTooLong = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      const tooLong = new FeedFault('unintelligible', `${origin} sent a message over the limit`);
      this.#lose(isTooLong ? tooLong : networkFault(this.#url, error));
    });
    this.#socket.on('close', (code) => {
      this.#lose(new FeedFault('unavailable', `${origin} closed the connection with code ${code}`));
    });
    this.#onLostWhenOpen = (fault) => onLost(this, fault);
  }

  /** Ends the connection with a fault. Only the first one counts. */
  #lose(fault: FeedFault): void {
    if (this.#closing.signal.aborted) {
      this.#onLost?.(fault);
      return;
    }
    this.lost = fault;
    this.observer?.failed(fault);
    this.#closing.abort();
    this.#socket.terminate();
    if (this.#onLost === undefined) this.#onLostWhenOpen(fault);
    else this.#onLost(fault);
  }

  /** Checks an idle connection with a ping. A source that has crashed does not close it. */
  async #watchIdle({
    limits,
    ping,
    pause,
  }: Pick<ConnectionOptions, 'limits'> & {
    readonly ping: ConnectionOptions['ping'] | undefined;
    readonly pause: Pause;
  }): Promise<void> {
    const { signal } = this.#closing;
    try {
      while (!signal.aborted) {
        this.#isAlive = false;
        await pause(limits.idleMs, signal);
        if (this.#isAlive) continue;
        if (ping === undefined) this.#socket.ping();
        else this.#socket.send(ping());
        await pause(limits.idleMs, signal);
        if (this.#isAlive) continue;
        this.#lose(new FeedFault('unavailable', `${this.#url.origin} does not answer a ping`));
      }
    } catch (fault) {
      if (!signal.aborted) throw fault;
    }
  }
}
