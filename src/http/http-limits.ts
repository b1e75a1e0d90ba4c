/** What one client may cost the public listener. Whoever goes beyond is refused as each line says. */
export interface HttpLimits {
  /** Tickers in one request; more is 400. */
  readonly tickersMax: number;
  /**
   * What answers of `/cotizaciones` other than whole panels may take in memory; the one that was not
   * asked for longest is forgotten, and made anew when it is asked for.
   */
  readonly answersBytesMax: number;
  /** The same for the series of `/historicos`. */
  readonly historyCacheBytesMax: number;
  /** Method, target and version; more is 414. */
  readonly requestLineBytesMax: number;
  /**
   * The target with the names and values of all headers, as Node counts them (without what separates
   * them); more is 431 and the connection is closed.
   */
  readonly requestHeadBytesMax: number;
  /**
   * From the first byte of a request to the end of its headers, and from the connection to the first
   * byte; else 408, closed.
   */
  readonly headersTimeoutMs: number;
  /** As above, to the end of the request. */
  readonly requestTimeoutMs: number;
  /** How long a connection may wait for its next request; then it is closed. */
  readonly keepAliveTimeoutMs: number;
  /** How long a client may leave an answer unread without taking a byte of it; then it is closed. */
  readonly stalledSocketMs: number;
  /**
   * How long a client may take to take all that waits for it, however it takes it; then it is cut.
   */
  readonly answerTimeoutMs: number;
  /** Connections of one address (of an IPv6 network of 64 bits); one more is closed at once. */
  readonly connectionsPerAddressMax: number;
  /** Connections of all addresses together; one more is closed at once. */
  readonly connectionsMax: number;
  /**
   * Maximum time that requests take in one turn of the event loop, in milliseconds. Further requests
   * wait, and clients take turns. A turn accepts one connection, so this is what a new one waits for.
   */
  readonly turnBudgetMs: number;
  /** Maximum time that a request waits for its turn, in milliseconds. Then it gets 503. */
  readonly queueWaitMsMax: number;
  /** Maximum number of requests that wait for their turn. Further ones get 503. */
  readonly queuedMax: number;
  /** How often the timeouts above are looked at: they are late by at most this. */
  readonly timeoutCheckMs: number;
  /**
   * How long a stop still accepts connections, and how long a connection must be idle before a stop
   * closes it, in milliseconds.
   */
  readonly drainIdleMs: number;
  /** How long stopping waits for answers that are under way, before it cuts their connections. */
  readonly drainMs: number;
}

/**
 * Node's own defaults leave a silent client connected for a minute, and Fastify's for ever. These
 * let go of it within 6, 11 and 31 s, and are generous to anyone on a bad line.
 */
export const defaultHttpLimits: HttpLimits = {
  tickersMax: 500,
  answersBytesMax: 16 * 2 ** 20,
  historyCacheBytesMax: 64 * 2 ** 20,
  requestLineBytesMax: 16 * 1024,
  requestHeadBytesMax: 32 * 1024,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 30_000,
  stalledSocketMs: 60_000,
  answerTimeoutMs: 60_000,
  connectionsPerAddressMax: 1_000,
  connectionsMax: 10_000,
  turnBudgetMs: 2,
  queueWaitMsMax: 500,
  queuedMax: 10_000,
  timeoutCheckMs: 500,
  drainIdleMs: 1_000,
  drainMs: 10_000,
};
