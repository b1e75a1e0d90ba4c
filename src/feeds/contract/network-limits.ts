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
