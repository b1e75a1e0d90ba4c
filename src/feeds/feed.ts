import type { Update } from '../domain/update.ts';

/** The identity and the expectations of a source, whether it is a feed or pushes its updates. */
export interface Source {
  /** The name in the configuration. It labels the source's metrics. */
  readonly name: string;
  /** Maximum time without data within session hours, in milliseconds. Then the source is stale. */
  readonly staleAfterMs: number;
  /**
   * The codes of the markets whose hours apply to the source. Undefined: the markets of the
   * instruments that it has sent updates for, and all markets before its first update.
   */
  readonly markets: ReadonlySet<string> | undefined;
}

/**
 * A source that the service connects to. A feed only connects and yields batches. The meaning of
 * the bytes is in its mapper, a pure function beside it (docs/adding-a-feed.md).
 *
 * A feed stores no quotes, does not reconnect and does not detect staleness. The supervisor of all
 * feeds does (`pipeline/`).
 */
export interface Feed extends Source {
  /**
   * Connects, and yields batches until the signal aborts or the source ends. Then it returns. It
   * requests no further data until the caller has taken the last batch, or it discards superseded
   * data, so it never queues without a limit. After it has thrown, it may be called again.
   *
   * @throws FeedFault when it cannot connect or the connection is lost.
   */
  batches(signal: AbortSignal): AsyncIterable<readonly Update[]>;
}

/** The kind of a feed's fault, for programs. The error's message is for operators. */
export type FeedFaultCode =
  /** The source cannot be reached, or no longer responds. */
  | 'unavailable'
  /** The response is not what the source is expected to send. */
  | 'unintelligible';

/** A fault of a source or of the connection to it. */
export class FeedFault extends Error {
  readonly code: FeedFaultCode;

  constructor(code: FeedFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FeedFault';
    this.code = code;
  }
}
