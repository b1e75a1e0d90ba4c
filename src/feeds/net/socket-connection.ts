import type { IncomingMessage } from 'node:http';
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
export interface SocketConnection {
  /** Why the connection was lost; undefined while it is open. */
  readonly lost: unknown;
  readonly observer: ExchangeObserver | undefined;
  close(): void;
}

/** Opens a connection, and subscribes. @throws FeedFault when the source does not accept the connection. */
export async function openConnection(
  { connect, limits }: ConnectionOptions,
  { clock, pause, network = {} }: ConnectionDeps,
  { signal, onMessage, onLost }: ConnectionEvents,
): Promise<SocketConnection> {
  // Loaded with the first connection, so that a start without such a source does not wait for it.
  const ws = await import('ws');
  signal.throwIfAborted();
  const { url, headers = {}, subscribe = [] } = await connect(signal);
  signal.throwIfAborted();
  const { ca, userAgent } = network;
  const observer = network.observer?.exchange({ kind: 'socket', method: 'GET', url });
  const socket = new ws.WebSocket(url, {
    headers: {
      'user-agent': 'Pizarra',
      ...headers,
      ...(userAgent !== undefined && { 'user-agent': userAgent }),
    },
    ...(ca !== undefined && { ca: authoritiesWith(ca) }),
    handshakeTimeout: limits.handshakeMs,
    maxPayload: limits.messageBytesMax,
    followRedirects: false,
    // Messages are small; compressed, they would cost more processor time than bandwidth.
    perMessageDeflate: false,
  });
  const closing = new AbortController();
  const opened = Promise.withResolvers<void>();
  let isAlive = true;
  let lost: unknown;
  const connection: SocketConnection = {
    get lost() {
      return lost;
    },
    observer,
    close() {
      closing.abort();
      socket.close(1000);
      // A source that does not answer the close must not keep the socket open.
      setTimeout(() => socket.terminate(), closeMsMax).unref();
    },
  };
  signal.addEventListener('abort', () => connection.close(), { signal: closing.signal });
  /** Ends the connection with a fault. Only the first one counts. */
  const lose = (fault: FeedFault): void => {
    opened.reject(fault);
    if (closing.signal.aborted) return;
    lost = fault;
    observer?.failed(fault);
    closing.abort();
    socket.terminate();
    onLost(connection, fault);
  };
  const observe = ({ statusCode = 0, headers: sent }: IncomingMessage): void =>
    observer?.responded({ status: statusCode, header: (name) => sent[name]?.toString() });
  const stayAlive = (): void => void (isAlive = true);
  socket.once('open', opened.resolve);
  socket.once('upgrade', observe);
  socket.once('unexpected-response', (_, response) => {
    observe(response);
    const status = response.statusCode ?? 0;
    const retryAfter = response.headers['retry-after'];
    lose(faultOfStatus(url, { status, retryAfter, now: clock.now() }));
  });
  // The first messages may come together with the response that opens the connection.
  socket.on('message', (data, isBinary) => {
    stayAlive();
    if (closing.signal.aborted) return;
    if (!isBinary) onMessage((data as Buffer).toString('utf8'), connection);
    else lose(new FeedFault('unintelligible', `${url.origin} sent a binary message`));
  });
  socket.on('ping', stayAlive);
  socket.on('pong', stayAlive);
  socket.on('error', (error: NodeJS.ErrnoException) => {
    const isTooLong = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    const tooLong = new FeedFault('unintelligible', `${url.origin} sent a message over the limit`);
    lose(isTooLong ? tooLong : networkFault(url, error));
  });
  socket.on('close', (code) => {
    lose(new FeedFault('unavailable', `${url.origin} closed the connection with code ${code}`));
  });
  await opened.promise;
  for (const message of subscribe) {
    socket.send(message);
    observer?.sent(message);
  }
  /** Checks an idle connection with a ping. A source that has crashed does not close it. */
  const watchIdle = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      isAlive = false;
      await pause(limits.idleMs, closing.signal);
      if (isAlive) continue;
      socket.ping();
      await pause(limits.idleMs, closing.signal);
      if (isAlive) continue;
      lose(new FeedFault('unavailable', `${url.origin} does not answer a ping`));
    }
  };
  watchIdle().catch((fault: unknown) => {
    if (!closing.signal.aborted) throw fault;
  });
  return connection;
}
