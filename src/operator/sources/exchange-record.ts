import type { Ticker } from '../../domain/instruments/ticker.ts';
import { FeedFault, type FeedMessage, type Rejected } from '../../feeds/contract/feed.ts';
import type {
  ExchangeObserver,
  FeedPlan,
  NetworkObserver,
  ObservedHead,
  SentRequest,
} from '../../feeds/contract/network.ts';
import type { Clock } from '../../lib/time/clock.ts';

/** Where a request or a connection failed. */
export type FailedAt =
  /** The name of the server could not be resolved. */
  | 'name'
  /** No connection to the server could be opened. */
  | 'connection'
  /** The certificate of the server could not be verified, or TLS failed. */
  | 'tls'
  /** The server sent no response. */
  | 'response'
  /** The server sent another status than that of a success. */
  | 'status'
  /** The response, or the connection, ended before its end. */
  | 'body'
  /** The response is not the data of the source. */
  | 'content'
  /** The program has a defect. */
  | 'program';

/** Why a request or a connection failed. */
export interface Failure {
  readonly at: FailedAt;
  readonly message: string;
  /** Undefined for a defect of the program. */
  readonly fault: FeedFault | undefined;
}

/** The rows that were rejected for one reason. */
export interface RejectedRows {
  readonly reason: Rejected['reason'];
  count: number;
  /** The first ones: the symbol, and what was received. */
  readonly samples: string[];
}

/** The headers that are recorded. No other can be useful to read a body, and some are secret. */
const recordedHeaders = [
  'content-type',
  'retry-after',
  'age',
  'date',
  'last-modified',
  'server',
] as const;

/** Maximum number of samples of one reason. */
const samplesMax = 3;

/** The maximum number of messages of a WebSocket that are kept. Further ones are only counted. */
const messagesMax = 2_000;

/** Messages whose rejection concerns no row of its own. */
const ofNoRow: ReadonlySet<Rejected['reason']> = new Set(['incomplete']);

/** How a source is observed. */
interface Observation {
  readonly clock: Clock;
  /** Whether bodies are to be saved. */
  readonly keepsBodies: boolean;
  /**
   * Called when a response or a message has been read (`progress`), a WebSocket is open, every instrument of a source
   * over a WebSocket has a price (`served`), and the poll is over.
   */
  readonly onEvent: (event: 'progress' | 'open' | 'served' | 'polled') => void;
}

/** What happened in one request or connection of a feed. */
export class ExchangeRecord implements ExchangeObserver {
  readonly request: SentRequest;
  readonly headers: Record<string, string> = {};
  /** The body, or the messages. Kept only if they are to be saved. */
  readonly bodies: string[] = [];
  /** The messages that the client sent. */
  readonly sentMessages: string[] = [];
  readonly rejected = new Map<Rejected['reason'], RejectedRows>();
  /**
   * How old the latest price of each instrument was when it arrived, in milliseconds. Undefined where the
   * rows have no instant of their own. Below 0, the clock of the source is ahead.
   */
  readonly ages = new Map<Ticker, number | undefined>();
  status: number | undefined;
  /** From the request to the head of the response. */
  responseMs: number | undefined;
  /** From the request to the end of the body or to the latest message. */
  totalMs: number | undefined;
  bytes = 0;
  messages = 0;
  rows = 0;
  understood = 0;
  /** Whether a body or a message has been given a meaning. */
  isMapped = false;
  failure: Failure | undefined;
  /** The fault itself, by which a fault of the feed is recognised. */
  fault: unknown;
  readonly #startedAt: number;
  readonly #of: Observation;
  readonly #onEvent: (record: ExchangeRecord) => void;

  /** @param onEvent called after the head of a response, and after each message was given a meaning. */
  constructor(request: SentRequest, of: Observation, onEvent: (record: ExchangeRecord) => void) {
    this.request = request;
    this.#of = of;
    this.#startedAt = of.clock.monotonic();
    this.#onEvent = onEvent;
  }

  responded({ status, header }: ObservedHead): void {
    this.status = status;
    this.responseMs = this.#elapsed();
    for (const name of recordedHeaders) {
      const value = header(name);
      if (value !== undefined) this.headers[name] = value;
    }
    const { wantedHeader } = this.request;
    if (wantedHeader !== undefined && header(wantedHeader) !== undefined) {
      this.headers[wantedHeader] = '[secret]';
    }
    this.#onEvent(this);
  }

  sent(text: string): void {
    this.sentMessages.push(text);
  }

  received(text: string): void {
    this.totalMs = this.#elapsed();
    this.bytes += Buffer.byteLength(text);
    this.messages += 1;
    if (this.#of.keepsBodies && this.bodies.length < messagesMax) this.bodies.push(text);
  }

  mapped(message: FeedMessage, snapshotAt?: number): void {
    this.isMapped = true;
    const read = message.read ?? message.updates;
    // What is read is a row that is understood, though it becomes no update.
    const readTickers: ReadonlySet<string> = new Set(read.map(({ ticker }) => ticker));
    const rejected = message.rejected.filter(
      ({ reason, symbol = '' }) => reason !== 'not-traded' || !readTickers.has(symbol),
    );
    const rejectedRows = rejected.filter(({ reason }) => !ofNoRow.has(reason)).length;
    const rows = message.rows ?? read.length + rejectedRows;
    this.rows += rows;
    this.understood += Math.max(rows - rejectedRows, 0);
    for (const one of rejected) this.#reject(one);
    const now = this.#of.clock.now();
    for (const { ticker, at, last, close } of read) {
      if (last === undefined && close === undefined) continue;
      const age = at === snapshotAt ? undefined : now - at;
      this.ages.set(ticker, leastOf(this.ages.get(ticker), age));
    }
    this.#onEvent(this);
  }

  failed(fault: unknown): void {
    this.#fail(fault, failureOf(fault, this));
  }

  misunderstood(fault: unknown): void {
    const failure = failureOf(fault, this);
    this.#fail(fault, failure.at === 'program' ? failure : { ...failure, at: 'content' });
  }

  /** Only the first failure counts: a connection is lost because of it. */
  #fail(fault: unknown, failure: Failure): void {
    if (this.failure !== undefined) return;
    this.fault = fault;
    this.totalMs ??= this.#elapsed();
    this.failure = failure;
  }

  #reject({ reason, symbol, sample }: Rejected): void {
    const rows = this.rejected.get(reason) ?? { reason, count: 0, samples: [] };
    rows.count += 1;
    const text = symbol === undefined || symbol === sample ? sample : `${symbol}: ${sample}`;
    if (rows.samples.length < samplesMax) rows.samples.push(text);
    this.rejected.set(reason, rows);
  }

  #elapsed(): number {
    return Math.round(this.#of.clock.monotonic() - this.#startedAt);
  }
}

function leastOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

type Reached = Pick<ExchangeRecord, 'status' | 'request'>;

/** Describes a fault. `reached` says how far the request or the connection came. */
export function failureOf(fault: unknown, reached: Reached | undefined): Failure {
  if (!(fault instanceof FeedFault)) {
    const message = fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault);
    return { at: 'program', message, fault: undefined };
  }
  return { at: placeOf(fault, reached), message: fault.message, fault };
}

function placeOf({ code, systemCode = '' }: FeedFault, reached: Reached | undefined): FailedAt {
  const { status, request } = reached ?? {};
  if (/^(?:ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(systemCode)) return 'name';
  if (code === 'untrusted' || /^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(systemCode)) return 'tls';
  if (status === undefined) return systemCode === '' ? 'response' : 'connection';
  if (status !== (request?.kind === 'socket' ? 101 : 200)) return 'status';
  return code === 'unavailable' ? 'body' : 'content';
}

/** What happened in one poll of a source, or in one connection to it. */
export class SourceRecord implements NetworkObserver {
  readonly exchanges: ExchangeRecord[] = [];
  /** Undefined until the feed begins, and for a feed that takes no instrument. */
  plan: FeedPlan | undefined;
  readonly #of: Observation;
  readonly #served = new Set<Ticker>();

  constructor(of: Observation) {
    this.#of = of;
  }

  begins(plan: FeedPlan): void {
    this.plan = plan;
  }

  exchange(sent: SentRequest): ExchangeRecord {
    const record = new ExchangeRecord(sent, this.#of, (one) => this.#follow(one));
    this.exchanges.push(record);
    return record;
  }

  polled(): void {
    this.#of.onEvent('polled');
  }

  #follow({ request, status, isMapped, ages }: ExchangeRecord): void {
    this.#of.onEvent('progress');
    if (request.kind !== 'socket') return;
    if (!isMapped) {
      if (status === 101) this.#of.onEvent('open');
      return;
    }
    for (const ticker of ages.keys()) this.#served.add(ticker);
    if (this.#served.size >= (this.plan?.tickers.size ?? Infinity)) this.#of.onEvent('served');
  }
}
