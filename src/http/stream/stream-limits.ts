/** Limits of the streams of quotes. */
export interface StreamLimits {
  /** Maximum number of concurrent streams of one key. Further streams get 429. */
  readonly perKeyMax: number;
  /** Maximum number of concurrent streams, over all keys. Further streams get 503. */
  readonly streamsMax: number;
  /** Time without data after which a stream gets a comment, in milliseconds. A client may want a shorter one. */
  readonly heartbeatMs: number;
  /**
   * Maximum time for which a client leaves a full connection unread, in milliseconds. Then its stream
   * ends. Meanwhile nothing is written to it, and only the latest quote of each instrument is pending.
   */
  readonly stallMs: number;
  /** How often keys, heartbeats and stalls are checked, in milliseconds. Each may be late by this much. */
  readonly sweepMs: number;
}

/** Enough for a desk with many screens. One key cannot exhaust the file descriptors of the service. */
export const defaultStreamLimits: StreamLimits = {
  perKeyMax: 100,
  streamsMax: 5_000,
  heartbeatMs: 15_000,
  stallMs: 30_000,
  sweepMs: 500,
};

/**
 * Maximum number of quotes in one write to one client, about 60 KiB. Besides the buffers of the kernel,
 * this is all that is stored for a client that does not read.
 */
export const quotesPerWriteMax = 200;

/** Maximum number of clients that are written to in one turn of the event loop. */
export const clientsPerTurnMax = 128;
