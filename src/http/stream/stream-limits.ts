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

/** The number of open streams of a key in one process. */
export type StreamCount = readonly [keyId: string, streams: number];

/**
 * The open streams of each key: those of this process, and those of the other processes of the node. Each process
 * reports its own number when it changes, so a limit applies to all of them together. A report takes about a
 * millisecond. Clients that open streams within this time in several processes may exceed the limit by as many.
 */
export class StreamCounts {
  readonly #own = new Map<string, number>();
  readonly #elsewhere = new Map<string, number>();
  readonly #onChange: ((count: StreamCount) => void) | undefined;

  /** @param onChange receives each change of a number of this process. */
  constructor(onChange?: (count: StreamCount) => void) {
    this.#onChange = onChange;
  }

  /** The open streams of a key in all processes. */
  of(keyId: string): number {
    return (this.#own.get(keyId) ?? 0) + (this.#elsewhere.get(keyId) ?? 0);
  }

  /** A stream of this process was opened. */
  opened(keyId: string): void {
    this.#set(keyId, (this.#own.get(keyId) ?? 0) + 1);
  }

  /** A stream of this process has ended. */
  closed(keyId: string): void {
    this.#set(keyId, (this.#own.get(keyId) ?? 1) - 1);
  }

  /** The other processes have this many streams of a key. */
  setElsewhere([keyId, streams]: StreamCount): void {
    put(this.#elsewhere, keyId, streams);
  }

  #set(keyId: string, streams: number): void {
    put(this.#own, keyId, streams);
    this.#onChange?.([keyId, streams]);
  }
}

/** Keys without streams take no memory. */
function put(counts: Map<string, number>, keyId: string, streams: number): void {
  if (streams === 0) counts.delete(keyId);
  else counts.set(keyId, streams);
}
