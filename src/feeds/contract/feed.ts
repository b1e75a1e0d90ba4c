import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { StaleSource } from '../../domain/quotes/sources-state.ts';
import type { Update } from '../../domain/quotes/update.ts';

/** A source of updates, whether the service connects to it or it pushes by itself. */
export interface Source {
  /** The name in the configuration. Metrics use it as a label. */
  readonly name: string;
  /** Without a batch for longer within session hours, the source is stale. In milliseconds. */
  readonly staleAfterMs: number;
  /**
   * The codes of the markets whose hours the source follows. Undefined: the markets of the
   * instruments that it has sent so far, and all markets before the first batch.
   */
  readonly markets: ReadonlySet<string> | undefined;
  /** How much later than the market the source is, in minutes. Absent: it does not state its delay. */
  readonly delayMinutes?: number | undefined;
  /** Whether the source is asked less often than twice a minute. Absent: it is not. */
  readonly isPolledSlowly?: boolean | undefined;
}

/**
 * A source that the service connects to. A feed only connects and yields batches. The meaning of
 * the messages is in its mapper, a pure function beside it (docs/adding-a-feed.md).
 *
 * A feed stores no quotes, does not reconnect and does not detect staleness. The supervisor of all
 * feeds does (`pipeline/`).
 */
export interface Feed extends Source {
  /** The instruments that are taken from the source. Absent when they are not known in advance. */
  readonly tickers?: ReadonlySet<Ticker>;
  /**
   * Connects, and yields batches until the signal aborts or the source ends. Then it returns. It
   * requests no further data until the caller has taken the last batch, or it discards superseded
   * data, so it never queues without a limit. After it has thrown, it may be called again.
   *
   * @throws FeedFault when it cannot connect or the connection is lost.
   */
  batches(signal: AbortSignal): AsyncIterable<FeedBatch>;
}

/**
 * What a feed received in one message or one poll. An empty batch means that the source is healthy
 * and has nothing new.
 */
export interface FeedBatch {
  readonly updates: readonly Update[];
  /** The parts of the message that are no update. Counted by reason; samples are logged. */
  readonly rejected: readonly Rejected[];
  /**
   * The requests of this poll that failed while others succeeded. They are counted and logged, and
   * the feed continues.
   */
  readonly failed?: readonly FeedFault[];
  /**
   * Minutes of a followed service, finished ones and those under way, ascending for each instrument. They are
   * adopted after the updates, in place of bars of the updates.
   */
  readonly bars?: readonly TickerBar[];
  /**
   * Why the source gives no prices now, where the feed recovers by itself: it is connecting again, or the source has
   * none. The feed counts as failed until a batch without it.
   */
  readonly outage?: FeedFault;
  /** The sources of a followed service that are stale. Absent: those of the last batch that had them. */
  readonly stale?: readonly StaleSource[];
}

/** What one message of a source means: a response, or a message of a WebSocket. */
export interface FeedMessage extends Pick<FeedBatch, 'updates' | 'rejected'> {
  /** The number of rows that the source sent. Absent: each update and each rejection is a row of its own. */
  readonly rows?: number;
  /**
   * What the rows say, where not every row that is understood becomes an update: a price of which the source
   * does not show that it was traded in this session. Absent: the updates.
   */
  readonly read?: readonly Update[];
}

/** A part of a message that is not used, such as a row that is no update or no close. */
export interface Rejected<Reason extends string = RejectionReason> {
  readonly reason: Reason;
  /** The ticker, or the symbol of the source; undefined for a whole message. */
  readonly symbol?: string;
  /** The day of a close or of the value of an index. Absent where the source sent no date that exists. */
  readonly date?: PlainDate;
  /** The values that were received, shortened. For the log. */
  readonly sample: string;
}

/** Why a part of a message is no update. Metrics use it as a label. */
export type RejectionReason =
  /** Longer than the limit. */
  | 'too-long'
  /** Not of the format that the source documents: not JSON, a field of another type. */
  | 'unintelligible'
  /** Valid, for a symbol that has no ticker here. Counted, and not logged. */
  | 'no-instrument'
  /** No price, or the placeholder that the source uses instead of one. */
  | 'no-price'
  /** No instant, or one that cannot be right: year 0001, 1970. */
  | 'bad-instant'
  /** The buyer's price is above the seller's: one of them is wrong, and nothing shows which. */
  | 'crossed'
  /** A price that the source carries forward: the instrument did not trade. Counted, and not logged. */
  | 'not-traded'
  /** The source does not have an instrument that was requested. */
  | 'not-offered'
  /** The source sent fewer rows than it has. */
  | 'incomplete'
  /** A further price of an instrument in one response, of which one is used. */
  | 'repeated'
  /** Older than the source can be: a snapshot of an earlier session. */
  | 'outdated';

/** What is wrong with a source. Decides when the supervisor retries; metrics use it as a label. */
export type FeedFaultCode =
  /** It cannot be reached, or stopped answering. Retried after seconds, then minutes. */
  | 'unavailable'
  /** It sent something that is not the data: HTML, an empty list, a truncated body. */
  | 'unintelligible'
  /** It limits the number of requests. Retried no earlier than it allows. */
  | 'limited'
  /** It refuses access: a missing or wrong key, a blocked address. Retried after hours. */
  | 'refused'
  /** It does not accept this request: an unknown path or symbol. Retried after hours. */
  | 'invalid-request'
  /** Its certificate cannot be verified. Retried after minutes. */
  | 'untrusted';

/** A failure of a source or of the connection to it. The message is for operators. */
export class FeedFault extends Error {
  readonly code: FeedFaultCode;
  /** How long the source asks to wait before the next request, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The code of the operating system or of TLS for a connection that failed, such as `ENOTFOUND`. */
  readonly systemCode: string | undefined;
  /** The status of the response that is the fault. */
  readonly status: number | undefined;
  /** Whether a response, or a part of it, did not come in time. */
  readonly isLate: boolean;

  /** @param message never contains a key, a header or the query of a URL: it is logged. */
  constructor(
    code: FeedFaultCode,
    message: string,
    options: ErrorOptions & {
      readonly retryAfterMs?: number | undefined;
      readonly systemCode?: string | undefined;
      readonly status?: number | undefined;
      readonly isLate?: boolean;
    } = {},
  ) {
    super(message, options);
    this.name = 'FeedFault';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.systemCode = options.systemCode;
    this.status = options.status;
    this.isLate = options.isLate ?? false;
  }
}

/** The maximum length of a sample, in characters. */
const sampleCharsMax = 160;

/** The maximum length of a symbol, in characters. */
const symbolCharsMax = 80;

/** The meanings of rows, each by itself: a row that is rejected does not affect the others. */
export function mapEach<Row, Meaning extends object>(
  rows: Iterable<Row>,
  map: (row: Row) => Meaning | Rejected,
): { readonly taken: Meaning[]; readonly rejected: Rejected[] } {
  const taken: Meaning[] = [];
  const rejected: Rejected[] = [];
  for (const row of rows) {
    const meaning = map(row);
    if ('reason' in meaning) rejected.push(meaning);
    else taken.push(meaning);
  }
  return { taken, rejected };
}

/** The message of rows whose meanings these are. Undefined is a row that changes nothing. */
export function messageOf(meanings: Iterable<Update | Rejected | undefined>): FeedMessage {
  const known = [...meanings].filter((meaning) => meaning !== undefined);
  const { taken: updates, rejected } = mapEach(known, (meaning) => meaning);
  return { updates, rejected };
}

/** A rejection with a shortened sample of what was received. */
export function reject<Reason extends string>(
  reason: Reason,
  value: unknown,
  symbol?: string,
): Rejected<Reason> {
  return {
    reason,
    sample: sampleOf(value),
    ...(symbol === undefined ? {} : { symbol: symbol.slice(0, symbolCharsMax) }),
  };
}

/** A value on one line of bounded length, for the log. */
function sampleOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > sampleCharsMax ? `${line.slice(0, sampleCharsMax)}…` : line;
}

/** One line of a recording: what a source had sent at an instant of recorded time. */
export interface RecordedBatch {
  /** When it was recorded, in epoch milliseconds. Undefined where the line does not say. */
  readonly at: number | undefined;
  readonly updates: readonly Update[];
  readonly rejected: readonly Rejected[];
}

/** Reads one line of a recording; pure. */
export type LineMapper = (text: string) => RecordedBatch;
