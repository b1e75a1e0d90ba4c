import type { Update } from '../domain/update.ts';

/** What is known of a source, whether the service runs it or it pushes by itself. */
export interface Source {
  /** As in the configuration; the label of its metrics. */
  readonly name: string;
  /** Silent for longer within session hours, it is reported as stale. In milliseconds. */
  readonly staleAfterMs: number;
  /**
   * The codes of the markets whose hours it keeps. Undefined: those of the instruments that it has
   * spoken of, and before it has spoken, all.
   */
  readonly markets: ReadonlySet<string> | undefined;
}

/**
 * A source that the service runs itself. A feed connects; what the bytes mean is its mapper's
 * business, a pure function beside it (docs/adding-a-feed.md).
 *
 * A feed keeps no quotes, retries nothing and watches no clock for staleness: whoever supervises it
 * does, in one place for all feeds.
 */
export interface Feed extends Source {
  /**
   * Connects, and yields batches until the signal aborts or the source has ended; then it returns.
   * Asks its source for no more before the last batch was taken, or drops what is superseded: a feed
   * never queues without a limit. May be called again after it has thrown.
   *
   * @throws FeedFault when it cannot connect or the connection is lost.
   */
  batches(signal: AbortSignal): AsyncIterable<readonly Update[]>;
}

/** What can be wrong with a feed, for programs; the message is for operators. */
export type FeedFaultCode =
  /** The source cannot be reached, or stopped answering. */
  | 'unavailable'
  /** It answered, with something that cannot be what was asked for. */
  | 'unintelligible';

/** Something wrong with a source or the way to it. */
export class FeedFault extends Error {
  readonly code: FeedFaultCode;

  constructor(code: FeedFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FeedFault';
    this.code = code;
  }
}
