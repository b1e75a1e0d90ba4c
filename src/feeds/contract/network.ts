import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedMessage } from './feed.ts';

/** The limits of one HTTP exchange. A source that exceeds one is faulty. */
export interface FetchLimits {
  /** From the request to the header of the response, connecting included. In milliseconds. */
  readonly headMs: number;
  /** The maximum pause between two parts of a body. In milliseconds. */
  readonly idleMs: number;
  /** The whole exchange, redirects included. In milliseconds. */
  readonly totalMs: number;
  /** The maximum body, decompressed. In bytes. */
  readonly bodyBytesMax: number;
}

/** The limits of one WebSocket connection. A source that exceeds one is faulty. */
export interface SocketLimits {
  /** From the request to the open connection. In milliseconds. */
  readonly handshakeMs: number;
  /**
   * Without a message for so long, the connection is checked with a ping; without an answer for as
   * long again, it is half-open and is closed. In milliseconds.
   */
  readonly idleMs: number;
  /** A connection older than this is replaced by a new one before it is closed. In milliseconds. */
  readonly lifetimeMs: number;
  /** The maximum message. In bytes. */
  readonly messageBytesMax: number;
  /**
   * The minimum time from one batch to the next. What a source sends meanwhile is one batch, so that a
   * busy source does not cause a commit for each message. In milliseconds.
   */
  readonly batchEveryMs: number;
}

/** What applies unless a source sets other limits. */
export const usualFetchLimits: FetchLimits = {
  headMs: 15_000,
  idleMs: 10_000,
  totalMs: 60_000,
  bodyBytesMax: 16 * 1_048_576,
};

/** What applies unless a source sets other limits. */
export const usualSocketLimits: SocketLimits = {
  handshakeMs: 15_000,
  idleMs: 30_000,
  lifetimeMs: 23 * 3_600_000,
  messageBytesMax: 1_048_576,
  batchEveryMs: 10,
};

/** How a feed connects, beyond what its type decides. */
export interface NetworkOptions {
  /** Replaces the field `User-Agent` of every request and connection. */
  readonly userAgent?: string;
  /** Certificates of authorities that are trusted beside those of the system. In PEM. */
  readonly ca?: string;
  /** Watches every request and connection. */
  readonly observer?: NetworkObserver;
}

/**
 * Receives what a feed requests, what the source sends, and what the feed makes of it. The feed does the
 * same with and without an observer, so what an observer sees is what the service does.
 */
export interface NetworkObserver {
  /** The feed begins. Not called for a feed that takes no instrument, which connects to nothing. */
  begins(plan: FeedPlan): void;
  /** A request is sent, or a connection is opened. */
  exchange(sent: SentRequest): ExchangeObserver;
  /** The requests of a poll are over. Not called after a fault that ends the poll. */
  polled(): void;
}

/** What a feed is about to do. */
export interface FeedPlan {
  /** The tickers that it takes from the source. */
  readonly tickers: ReadonlySet<Ticker>;
  readonly kind: SentRequest['kind'];
  /** The number of requests that every poll sends, or of connections. A login before a connection is not counted. */
  readonly paths: number;
}

/** A request, or the request for a WebSocket. Its headers, which may be secret, are not part of it. */
export interface SentRequest {
  readonly kind: 'request' | 'socket';
  readonly method: string;
  /** Its query may be secret. */
  readonly url: URL;
  readonly body?: string;
  /** The name of a header of the response that the feed uses. Its value may be secret. */
  readonly wantedHeader?: string;
}

/** Receives the events of one request or connection, in this order. */
export interface ExchangeObserver {
  /** The head of the response. Of a redirect that is followed, only the last one. */
  responded(head: ObservedHead): void;
  /** The client has sent a message over the WebSocket. */
  sent(text: string): void;
  /**
   * The body of the response, or one message of a WebSocket. Of a body that was cut, the part before the cut. The body
   * of a refusal is only read for the observer, up to a limit.
   */
  received(text: string): void;
  /**
   * What the body or the message means.
   *
   * @param snapshotAt the instant of rows without one of their own, in epoch milliseconds.
   */
  mapped(message: FeedMessage, snapshotAt?: number): void;
  /** The request or the connection has failed. */
  failed(fault: unknown): void;
  /** What arrived is not the data, or says that there are none: a page, an empty list, an error of the source. */
  misunderstood(fault: unknown): void;
}

/** The head of a response. */
export interface ObservedHead {
  readonly status: number;
  /** The value of a header. */
  readonly header: (name: string) => string | undefined;
}
