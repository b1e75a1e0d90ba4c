import type { Ticker } from '../../domain/instruments/ticker.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { FeedFault, type FeedMessage, type Rejected, reject } from '../contract/feed.ts';
import type { EventStream, StreamItem } from '../net/event-stream.ts';
import { fieldsOf, parseJson } from '../shapes/as-record.ts';
import type { Origin } from './ask-origin.ts';
import type { BarCatchUp } from './bar-catch-up.ts';
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

/** The pauses before a stream is opened again. */
const reconnects = { firstMs: 500, maxMs: 5_000 };

/** How soon the origin shows that an idle stream works. Without a byte for twice as long, it is broken. */
const heartbeat = '5s';

const usualLimits = { headMs: 15_000, idleMs: 12_500, eventCharsMax: 65_536 };

/** What one of the streams of a feed is built from. */
export interface StreamParts {
  /** The number of the stream in its feed. */
  readonly part: string;
  readonly origin: Origin;
  readonly deps: Pick<FeedDeps, 'pause' | 'random' | 'fetchLimits'>;
  readonly pending: PendingBatch;
  readonly context: MapQuoteContext;
  /** Completes the bars. Undefined where bars are not recorded: then none are requested. */
  readonly bars: BarCatchUp | undefined;
  /** The id of the running service of the origin. @throws FeedFault if the origin gives none. */
  readonly instanceNow: () => Promise<string>;
  readonly onQuote: (update: FollowedUpdate) => void;
  /** Called once, when all current quotes have come. */
  readonly onComplete: () => void;
  /** Called when the instruments of the origin have changed. */
  readonly onSelectionChanged: () => void;
  /** Whether the stream is opened only once, for a check. */
  readonly isOnce: boolean;
}

/**
 * Follows the quotes of some tickers until the signal aborts. A stream that ends or breaks is opened again
 * with the id of its last event, so the origin sends what has changed since. If the origin was started again
 * meanwhile, it sends all current quotes instead: the ids of a service that was restored from a backup
 * would not be comparable. A fault that a retry does not mend, such as a wrong key, ends the batches.
 */
export async function followStream(
  tickers: readonly Ticker[],
  parts: StreamParts,
  signal: AbortSignal,
): Promise<void> {
  const { part, origin, deps, pending, bars, isOnce } = parts;
  const reading = new Reading(tickers, parts, signal);
  const { headMs, idleMs } = { ...usualLimits, ...deps.fetchLimits };
  const limits = { ...usualLimits, headMs, idleMs };
  const params = {
    especie: tickers.join(','),
    campos: askedFields.join(','),
    latido: heartbeat,
    ...(bars === undefined ? {} : { barras: '1m' }),
  };
  try {
    for (let failures = 1; ; failures += 1) {
      let retryAfterMs = 0;
      try {
        const after = reading.resumeAt(await parts.instanceNow());
        const request = { path: '/cotizaciones/stream', params, after, limits };
        const stream = await origin.stream(request, signal);
        pending.outage(part, undefined);
        bars?.opened(tickers);
        for await (const items of stream.items) {
          failures = 0;
          reading.take(items, stream);
          // Meanwhile nothing is read from the connection, so the origin waits, too.
          if (pending.isFull) await pending.taken(signal);
        }
      } catch (fault) {
        const isMended = fault instanceof FeedFault && retried.has(fault.code);
        if (!isMended || isOnce) throw fault;
        pending.outage(part, fault);
        retryAfterMs = fault.retryAfterMs ?? 0;
      }
      const pauseMs = backoffMs(Math.max(failures, 1), reconnects, deps.random);
      await deps.pause(Math.max(pauseMs, retryAfterMs), signal);
    }
  } catch (fault) {
    if (!signal.aborted) pending.fail(fault);
  }
}

/** The faults after which a stream is opened again soon. */
export const retried: ReadonlySet<FeedFault['code']> = new Set(['unavailable', 'limited']);

/** What the streams of some tickers have sent, over all their connections. */
class Reading {
  readonly #tickers: ReadonlySet<Ticker>;
  readonly #parts: StreamParts;
  readonly #signal: AbortSignal;
  readonly #seen = new Set<Ticker>();
  #isComplete = false;
  /** The id of the last event. Undefined before the first one, and where all quotes are to be sent again. */
  #after: string | undefined;
  #instance: string | undefined;

  constructor(tickers: readonly Ticker[], parts: StreamParts, signal: AbortSignal) {
    this.#tickers = new Set(tickers);
    this.#parts = parts;
    this.#signal = signal;
  }

  /** The id after which a stream of this service of the origin continues. Undefined for all quotes. */
  resumeAt(instance: string): string | undefined {
    if (instance !== this.#instance) this.#after = undefined;
    this.#instance = instance;
    return this.#after;
  }

  take(items: readonly StreamItem[], stream: EventStream): void {
    for (const item of items) {
      this.#parts.pending.heard();
      if (item === 'comment') this.#complete(stream);
      else this.#takeEvent(item, stream);
    }
    const missing = missingCount(stream.header('missing-especies'));
    if (this.#seen.size >= this.#tickers.size - missing) this.#complete(stream);
  }

  #takeEvent({ event, id, data }: Exclude<StreamItem, 'comment'>, { observer }: EventStream): void {
    // An empty id resets it (HTML, 9.2.6).
    if (id !== undefined) this.#after = id === '' ? undefined : id;
    if (event === 'cotizacion') {
      const message = this.#takeQuote(data);
      observer?.mapped(message);
    }
    if (event === 'barra') this.#takeBar(data);
    const { motivo } = event === 'cierre' ? fieldsOf(parseJson(data)) : {};
    if (motivo === 'seleccion') this.#parts.onSelectionChanged();
  }

  #takeQuote(data: string): FeedMessage {
    const { pending, context, onQuote } = this.#parts;
    const mapped = this.#requested(mapQuote(data, context), data);
    if ('reason' in mapped) {
      pending.reject([mapped]);
      this.#see(mapped.symbol);
      return { updates: [], rejected: [mapped] };
    }
    onQuote(mapped);
    this.#see(mapped.ticker);
    return { updates: [mapped], rejected: [] };
  }

  /** Rejects what is of another instrument: the feed would remember each of them. */
  #requested<Mapped extends { readonly ticker: Ticker }>(
    mapped: Mapped | Rejected,
    data: string,
  ): Mapped | Rejected {
    if ('reason' in mapped || this.#tickers.has(mapped.ticker)) return mapped;
    return reject('no-instrument', data, mapped.ticker);
  }

  /** Only names that were requested are remembered: an origin may send any number of others. */
  #see(symbol: string | undefined): void {
    if (!this.#isComplete && this.#tickers.has(symbol as Ticker)) this.#seen.add(symbol as Ticker);
  }

  #takeBar(data: string): void {
    const { pending, bars } = this.#parts;
    const mapped = this.#requested(mapBar(parseJson(data)), data);
    if ('reason' in mapped) pending.reject([mapped]);
    else bars?.take(mapped, this.#signal);
  }

  #complete({ observer }: EventStream): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    this.#seen.clear();
    // So a check sees that a stream without a quote was read.
    observer?.mapped({ updates: [], rejected: [] });
    this.#parts.onComplete();
  }
}

/** The number of tickers that the header `Missing-Especies` names (contract 4.1.5). */
export function missingCount(header: string | undefined): number {
  if (header === undefined || header === '') return 0;
  const names = header.split(',');
  const more = /^%E2%80%A6\+(\d+)$/i.exec(names.at(-1)?.trim() ?? '');
  return more === null ? names.length : names.length - 1 + Number(more[1]);
}
