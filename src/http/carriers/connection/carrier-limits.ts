/** Limits of connections: their number, their times, and the work that their requests cause. */
export interface CarrierLimits {
  /** Maximum length of a request line, in bytes. Node's parser reports longer ones as too large heads. */
  readonly requestLineBytesMax: number;
  /** Maximum length of the target and all headers, in bytes. Beyond it the request gets 431. */
  readonly requestHeadBytesMax: number;
  /**
   * Maximum time from the first byte of a request to the end of its headers, and from the connection
   * to the first byte, in milliseconds. Then the client gets 408, and the connection closes.
   */
  readonly headersTimeoutMs: number;
  /** Maximum time from the first byte to the end of a request, in milliseconds. Then it gets 408. */
  readonly requestTimeoutMs: number;
  /** Maximum time that a connection waits for its next request, in milliseconds. Then it closes. */
  readonly keepAliveTimeoutMs: number;
  /**
   * Maximum time for which no byte of a pending response is read, in milliseconds. Then the connection
   * closes.
   */
  readonly stalledSocketMs: number;
  /** Maximum time for a client to read a pending response, in milliseconds. Then its connection closes. */
  readonly responseTimeoutMs: number;
  /**
   * Maximum number of connections of one address, or of one IPv6 network of 64 bits. Further ones are
   * closed at once.
   */
  readonly connectionsPerAddressMax: number;
  /** Maximum number of connections. Further ones are closed at once. */
  readonly connectionsMax: number;
  /**
   * Maximum time that requests take in one turn of the event loop, in milliseconds. Further requests
   * wait, and clients take turns. A turn accepts one connection, so new connections wait this long.
   */
  readonly turnBudgetMs: number;
  /** Maximum time that a request waits for its turn, in milliseconds. Then it gets 503. */
  readonly queueWaitMsMax: number;
  /** Maximum number of requests that wait for their turn. Further ones get 503. */
  readonly queuedMax: number;
  /** How often timeouts are checked, in milliseconds. Each may be late by this much. */
  readonly timeoutCheckMs: number;
  /**
   * How long a stop still accepts connections, and how long a connection must be idle before a stop
   * closes it, in milliseconds.
   */
  readonly drainIdleMs: number;
  /** Maximum time for pending responses during a stop, in milliseconds. Then their connections close. */
  readonly drainMs: number;
}
