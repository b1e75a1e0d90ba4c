import {
  PizarraError,
  type StreamEvent,
  type StreamState,
} from '../../../clients/typescript/src/index.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { FeedFault, type Rejected, reject } from '../contract/feed.ts';
import type { BarCatchUp } from './bar-catch-up.ts';
import type { Origin } from './origin.ts';
import {
  type FollowedUpdate,
  type MapQuoteContext,
  askedFields,
  mapBar,
  mapQuote,
} from './origin-rows.ts';
import type { PendingBatch } from './pending-batch.ts';

/** The tickers of one stream: half of what a request may name, in a request line well below its limit. */
export const tickersPerStream = 250;

/** What one of the streams of a feed is built from. */
export interface StreamParts {
  /** The number of the stream in its feed. */
  readonly part: string;
  readonly origin: Pick<Origin, 'stream' | 'faultOf'>;
  readonly pending: PendingBatch;
  readonly context: MapQuoteContext;
  /** Completes the bars. Undefined where bars are not recorded: then none are requested. */
  readonly bars: Pick<BarCatchUp, 'opened' | 'take'> | undefined;
  /** The id of the running service of the origin, as it was read before the streams were opened. */
  readonly instance: string;
  /** Requests the id of the service that runs now. @throws FeedFault if the origin sends none. */
  readonly instanceNow: () => Promise<string>;
  readonly onQuote: (update: FollowedUpdate) => void;
  /** Called once, when all current quotes have come. */
  readonly onComplete: () => void;
  /** Called when the instruments of the origin have changed. */
  readonly onSelectionChanged: () => void;
  /** Whether the stream is opened only once, for a check. */
  readonly isOnce: boolean;
}

const path = '/cotizaciones/stream';

/**
 * Follows the quotes of some tickers until the signal aborts. The client opens a stream that ends or breaks again, with
 * the id of its last event, so the origin sends what has changed since. If the origin was started again
 * meanwhile, it sends all current quotes instead: the ids of a service that was restored from a backup
 * would not be comparable. A fault that a retry does not mend, such as a wrong key, ends the batches.
 */
export async function followStream(
  tickers: readonly Ticker[],
  parts: StreamParts,
  signal: AbortSignal,
): Promise<void> {
  const { part, origin, pending, bars, instanceNow, isOnce } = parts;
  let { instance } = parts;
  let reading: Reading | undefined;
  const onState = (state: StreamState): void => {
    if (state.state === 'open') {
      pending.outage(part, undefined);
      bars?.opened(tickers);
      reading?.opened(state.missing.length + state.missingOmitted);
    } else {
      if (state.error !== undefined) {
        pending.outage(part, origin.faultOf(state.error, path) as FeedFault);
      }
      if (state.ending?.motivo === 'seleccion') parts.onSelectionChanged();
    }
  };
  const barras = bars === undefined ? undefined : '1m';
  const parameters = { especie: tickers, campos: askedFields, latido: '5s', barras } as const;
  try {
    const stream = origin.stream(parameters, {
      signal,
      attemptsMax: isOnce ? 1 : Number.POSITIVE_INFINITY,
      onState,
      onHeartbeat: () => reading?.complete(),
      async continueAfter(lastEventId) {
        if (lastEventId === '') return '';
        const before = instance;
        instance = await instanceNow().catch(throwCause);
        return instance === before ? lastEventId : '';
      },
    });
    reading = new Reading(tickers, parts, stream.observer);
    for await (const event of stream.events) {
      reading.take(event, signal);
      // Meanwhile nothing is read from the connection, so the origin waits, too.
      if (pending.isFull) await pending.taken(signal);
    }
  } catch (error) {
    if (!signal.aborted) pending.fail(origin.faultOf(error, path));
  }
}

/** Rejects with the error of the client, by which it decides whether to try again. */
function throwCause(fault: unknown): never {
  throw fault instanceof FeedFault && fault.cause instanceof PizarraError ? fault.cause : fault;
}

/** What the stream of some tickers has sent, over all its connections. */
class Reading {
  readonly #tickers: ReadonlySet<Ticker>;
  readonly #parts: StreamParts;
  readonly #observer: ReturnType<Origin['stream']>['observer'];
  readonly #seen = new Set<Ticker>();
  #missing = 0;
  #isComplete = false;

  constructor(
    tickers: readonly Ticker[],
    parts: StreamParts,
    observer: ReturnType<Origin['stream']>['observer'],
  ) {
    this.#tickers = new Set(tickers);
    this.#parts = parts;
    this.#observer = observer;
  }

  /** @param missing the number of tickers of which the origin has no quote. */
  opened(missing: number): void {
    this.#missing = missing;
    this.#completeIfSeen();
  }

  take(event: StreamEvent, signal: AbortSignal): void {
    this.#parts.pending.heard();
    if (event.type === 'cotizacion') this.#takeQuote(event.data);
    else this.#takeBar(event.data, signal);
    this.#completeIfSeen();
  }

  /** Notes that all current quotes have come: the origin has sent a heartbeat. */
  complete(): void {
    this.#parts.pending.heard();
    if (this.#isComplete) return;
    this.#isComplete = true;
    this.#seen.clear();
    // So a check sees that a stream without a quote was read.
    this.#observer()?.mapped({ updates: [], rejected: [] });
    this.#parts.onComplete();
  }

  #completeIfSeen(): void {
    if (!this.#isComplete && this.#seen.size >= this.#tickers.size - this.#missing) this.complete();
  }

  #takeQuote(data: unknown): void {
    const { pending, context, onQuote } = this.#parts;
    const mapped = this.#requested(mapQuote(data, context), data);
    const isRejected = 'reason' in mapped;
    if (isRejected) pending.reject([mapped]);
    else onQuote(mapped);
    this.#see(isRejected ? mapped.symbol : mapped.ticker);
    this.#observer()?.mapped({
      updates: isRejected ? [] : [mapped],
      rejected: isRejected ? [mapped] : [],
    });
  }

  /** Rejects what is of another instrument: the feed would remember each of them. */
  #requested<Mapped extends { readonly ticker: Ticker }>(
    mapped: Mapped | Rejected,
    data: unknown,
  ): Mapped | Rejected {
    if ('reason' in mapped || this.#tickers.has(mapped.ticker)) return mapped;
    return reject('no-instrument', data, mapped.ticker);
  }

  /** Only names that were requested are remembered: an origin may send any number of others. */
  #see(symbol: string | undefined): void {
    if (!this.#isComplete && this.#tickers.has(symbol as Ticker)) this.#seen.add(symbol as Ticker);
  }

  #takeBar(data: unknown, signal: AbortSignal): void {
    const { pending, bars } = this.#parts;
    const mapped = this.#requested(mapBar(data), data);
    if ('reason' in mapped) pending.reject([mapped]);
    else bars?.take(mapped, signal);
  }
}
