import type { WebSocket } from 'ws';
import type { Pause } from '../feed-type.ts';
import { FeedFault } from '../feed.ts';
import type { FeedBatch, Rejected } from '../feed.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SocketLimits } from '../network-limits.ts';
import { faultOfStatus, networkFault } from './network-fault.ts';
import { UpdateBuffer } from './update-buffer.ts';

/** The maximum number of rejections that wait to be taken. Further ones are dropped. */
const rejectedWaitingMax = 1_000;

/**
 * The minimum time between two planned connections that failed or that the source announced to end, in
 * milliseconds.
 */
const replacementPauseMs = 60_000;

/** The maximum time for a source to answer a close, in milliseconds. */
const closeMsMax = 1_000;

/** The share of the lifetime by which it is shortened at random, so that instances spread out. */
const lifetimeJitterPart = 0.1;

/** What a message means. */
export interface SocketMessage extends Omit<FeedBatch, 'failed'> {
  /** The source announced that it closes the connection soon: it is replaced now. */
  readonly closesSoon?: boolean;
}

/** Where a connection leads to. */
interface SocketTarget {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in this order as soon as the connection is open. */
  readonly subscribe?: readonly string[];
}

/** How a source is connected to over a WebSocket. */
export interface SocketOptions {
  /**
   * Called for each connection, so that a replaced key takes effect. It may request a token first.
   *
   * @throws FeedFault without a key, or when the source gives no token.
   */
  readonly connect: (signal: AbortSignal) => SocketTarget | Promise<SocketTarget>;
  /**
   * Gives a message its meaning.
   *
   * @throws FeedFault when the message ends the connection: a rejected key, a limit. A message that
   *   is merely not understood is a rejection.
   */
  readonly map: (text: string) => SocketMessage;
  /** The source's own ping, where it does not answer the ping of WebSocket (RFC 6455 5.5.2). */
  readonly ping?: () => string;
  readonly limits: SocketLimits;
}

/** What a socket is built from. */
export interface SocketDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly pause: Pause;
}

/**
 * Connects to a source, and yields what it sends until the signal aborts. While a batch is being
 * stored, further updates are conflated, so memory is bounded and the newest price is always known.
 *
 * A connection lives as follows: it opens within the handshake limit and subscribes; when it is idle,
 * it is checked with a ping; at the end of its lifetime, or when the source announces its end, a new
 * connection is opened and subscribed before the old one is closed. A connection that is lost is a
 * fault. What it had sent before is yielded first.
 */
export async function* socketBatches(
  options: SocketOptions,
  deps: SocketDeps,
  signal: AbortSignal,
): AsyncGenerator<FeedBatch, void, undefined> {
  const session = new SocketSession(options, deps, signal);
  try {
    await session.open();
    for (;;) {
      const batch = await session.next();
      if (batch === undefined) return;
      yield batch;
    }
  } catch (fault) {
    if (!signal.aborted) throw fault;
  } finally {
    session.close();
  }
}

/** The connection in use, its replacement while one is opened, and what has been received. */
class SocketSession {
  readonly #options: SocketOptions;
  readonly #deps: SocketDeps;
  readonly #ended: AbortController;
  readonly #signal: AbortSignal;
  readonly #buffer = new UpdateBuffer();
  #rejected: Rejected[] = [];
  /** A message came, though it may have brought no update. */
  #hasNews = false;
  #fault: unknown;
  #wake: () => void = () => undefined;
  #current: Connection | undefined;
  #isReplacing = false;
  /** When the connection in use was opened as a replacement, on the monotonic clock. */
  #replacedAt = -Infinity;

  constructor(options: SocketOptions, deps: SocketDeps, signal: AbortSignal) {
    this.#options = options;
    this.#deps = deps;
    this.#ended = new AbortController();
    this.#signal = AbortSignal.any([signal, this.#ended.signal]);
    signal.addEventListener('abort', () => this.#wake(), { signal: this.#ended.signal });
  }

  async open(): Promise<void> {
    this.#use(await this.#connect());
  }

  /** The next batch as soon as there is one; undefined when the service stops. */
  async next(): Promise<FeedBatch | undefined> {
    while (!this.#hasNews) {
      if (this.#signal.aborted) return undefined;
      if (this.#fault !== undefined) throw this.#fault;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    this.#hasNews = false;
    const rejected = this.#rejected;
    this.#rejected = [];
    return { updates: this.#buffer.take(), rejected };
  }

  close(): void {
    this.#ended.abort();
    this.#current?.close();
  }

  #connect(): Promise<Connection> {
    return Connection.open(this.#options, this.#deps, {
      signal: this.#signal,
      onMessage: (text) => this.#receive(text),
      onLost: (connection, fault) => {
        if (connection === this.#current) this.#fail(fault);
      },
    });
  }

  #use(connection: Connection): void {
    const old = this.#current;
    this.#current = connection;
    old?.close();
    if (connection.lost !== undefined) this.#fail(connection.lost);
    void this.#watchLifetime(connection);
  }

  async #watchLifetime(connection: Connection): Promise<void> {
    const { limits } = this.#options;
    const lifetimeMs = limits.lifetimeMs * (1 - lifetimeJitterPart * this.#deps.random());
    await this.#pause(lifetimeMs);
    if (connection === this.#current) await this.#replace();
  }

  /** A source that announces its end on every connection must not be connected to in a loop. */
  #replaceSoon(): void {
    const age = this.#deps.clock.monotonic() - this.#replacedAt;
    if (age > replacementPauseMs) void this.#replace();
  }

  /** Opens a new connection beside the old one. The old one is used until the new one is open. */
  async #replace(): Promise<void> {
    if (this.#isReplacing) return;
    this.#isReplacing = true;
    while (!this.#signal.aborted) {
      try {
        this.#use(await this.#connect());
        this.#replacedAt = this.#deps.clock.monotonic();
        break;
      } catch {
        // The old connection still works. When it is lost, the supervisor reports the fault.
        await this.#pause(replacementPauseMs);
      }
    }
    this.#isReplacing = false;
  }

  #receive(text: string): void {
    try {
      const { updates, rejected, closesSoon } = this.#options.map(text);
      for (const update of updates) this.#buffer.add(update);
      const room = rejectedWaitingMax - this.#rejected.length;
      if (rejected.length > 0) this.#rejected.push(...rejected.slice(0, room));
      this.#hasNews = true;
      if (closesSoon === true) this.#replaceSoon();
      this.#wake();
    } catch (fault) {
      this.#fail(fault);
    }
  }

  #fail(fault: unknown): void {
    this.#fault ??= fault;
    this.#wake();
  }

  async #pause(ms: number): Promise<void> {
    await this.#deps.pause(ms, this.#signal).catch(() => undefined);
  }
}

interface ConnectionEvents {
  readonly signal: AbortSignal;
  readonly onMessage: (text: string) => void;
  readonly onLost: (connection: Connection, fault: unknown) => void;
}

/** One WebSocket connection that is open and subscribed. */
class Connection {
  /** Why the connection was lost; undefined while it is open. */
  lost: unknown;
  readonly #socket: WebSocket;
  readonly #url: URL;
  readonly #closing = new AbortController();
  #isAlive = true;
  /** Receives the fault of a connection that is lost before it is open. */
  #onLost: ((fault: FeedFault) => void) | undefined;
  #onLostWhenOpen: (fault: FeedFault) => void = () => undefined;

  private constructor(socket: WebSocket, url: URL) {
    this.#socket = socket;
    this.#url = url;
  }

  /** @throws FeedFault when the source does not accept the connection. */
  static async open(
    { connect, limits, ping }: SocketOptions,
    { clock, pause }: SocketDeps,
    events: ConnectionEvents,
  ): Promise<Connection> {
    // Loaded with the first connection, so that a start without such a source does not wait for it.
    const ws = await import('ws');
    events.signal.throwIfAborted();
    const { url, headers = {}, subscribe = [] } = await connect(events.signal);
    events.signal.throwIfAborted();
    const socket = new ws.WebSocket(url, {
      headers: { 'user-agent': 'Pizarra', ...headers },
      handshakeTimeout: limits.handshakeMs,
      maxPayload: limits.messageBytesMax,
      followRedirects: false,
      // Messages are small; compressed, they would cost more processor time than bandwidth.
      perMessageDeflate: false,
    });
    const connection = new Connection(socket, url);
    const stop = (): void => connection.close();
    events.signal.addEventListener('abort', stop, { signal: connection.#closing.signal });
    // The first messages may come together with the response that opens the connection.
    connection.#listen(events);
    await connection.#opened(clock);
    for (const message of subscribe) socket.send(message);
    void connection.#watchIdle({ limits, ping, pause });
    return connection;
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
    this.#socket.once('unexpected-response', (_, { statusCode = 0, headers }) => {
      const retryAfter = headers['retry-after'];
      this.#lose(faultOfStatus(this.#url, { status: statusCode, retryAfter, now: clock.now() }));
    });
    await promise;
    this.#onLost = undefined;
  }

  #listen({ onMessage, onLost }: ConnectionEvents): void {
    const { origin } = this.#url;
    this.#socket.on('message', (data, isBinary) => {
      this.#isAlive = true;
      if (this.#closing.signal.aborted) return;
      if (!isBinary) onMessage((data as Buffer).toString('utf8'));
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
    this.#closing.abort();
    this.#socket.terminate();
    if (this.#onLost === undefined) this.#onLostWhenOpen(fault);
    else this.#onLost(fault);
  }

  /** A source that has crashed or was cut off sends no close: only the missing answer shows it. */
  async #watchIdle({
    limits,
    ping,
    pause,
  }: Pick<SocketOptions, 'limits'> & {
    readonly ping: SocketOptions['ping'] | undefined;
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
