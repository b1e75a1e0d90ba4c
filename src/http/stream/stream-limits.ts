/** What streams may cost. */
export interface StreamLimits {
  /** Streams of one key at a time; one more is 429. */
  readonly perKeyMax: number;
  /** Streams of all keys at a time; one more is 503. */
  readonly streamsMax: number;
  /** A stream that is silent for as long gets a comment. */
  readonly heartbeatMs: number;
  /**
   * How long a client may leave unread what fills its connection; then its stream is ended. While it
   * does, it is sent nothing more, and of each instrument only the latest quote waits.
   */
  readonly stallMs: number;
  /** How often keys, heartbeats and stalls are looked at: each is late by at most this. */
  readonly sweepMs: number;
}

/** Room for a desk with many screens; a key is no way to exhaust the service's file descriptors. */
export const defaultStreamLimits: StreamLimits = {
  perKeyMax: 100,
  streamsMax: 5_000,
  heartbeatMs: 15_000,
  stallMs: 30_000,
  sweepMs: 500,
};

/**
 * The most quotes in one write to one client: some 60 KiB, and with what its kernel holds the most
 * that a client who does not read makes the service keep.
 */
export const quotesPerWriteMax = 200;

/** The most clients that are written to in one turn of the event loop; requests are served between. */
export const clientsPerTurnMax = 128;
