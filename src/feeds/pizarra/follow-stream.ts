import type { Ticker } from '../../domain/instruments/ticker.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { FeedFault } from '../contract/feed.ts';
import type { EventStream, StreamItem } from '../net/event-stream.ts';
import type { Origin } from './ask-origin.ts';
import type { PendingBatch } from './pending-batch.ts';
import { askedFields, mapQuote } from './quote-mapper.ts';

/** The tickers of one stream: half of what a request may name, in a request line well below its limit. */
export const tickersPerStream = 250;

/** The pauses before a stream is opened again. */
const reconnects = { firstMs: 500, maxMs: 5_000 };

/** How soon the origin shows that an idle stream works. Without a byte for twice as long, it is broken. */
const heartbeat = '5s';

const limits = { headMs: 15_000, idleMs: 12_500, eventCharsMax: 65_536 };

/** One of the streams of a feed. */
export interface StreamParts {
  readonly origin: Origin;
  readonly deps: Pick<FeedDeps, 'pause' | 'random'>;
  readonly pending: PendingBatch;
  /** Called once, when all current quotes have come. */
  readonly onComplete: () => void;
}

/**
 * Follows the quotes of some tickers until the signal aborts. A stream that ends or breaks is opened again
 * with the id of its last event, so the origin sends what has changed since. A fault that a retry does
 * not mend, such as a wrong key, ends the batches.
 */
export async function followStream(
  tickers: readonly Ticker[],
  parts: StreamParts,
  signal: AbortSignal,
): Promise<void> {
  const { origin, deps, pending } = parts;
  const reading = new Reading(tickers, parts);
  const params = { especie: tickers.join(','), campos: askedFields.join(','), latido: heartbeat };
  try {
    for (let failures = 1; ; failures += 1) {
      try {
        const { after } = reading;
        const request = { path: '/cotizaciones/stream', params, after, limits };
        const stream = await origin.stream(request, signal);
        for await (const items of stream.items) {
          failures = 0;
          reading.take(items, stream);
        }
      } catch (fault) {
        if (!(fault instanceof FeedFault) || fault.code !== 'unavailable') throw fault;
      }
      await deps.pause(backoffMs(Math.max(failures, 1), reconnects, deps.random), signal);
    }
  } catch (fault) {
    if (!signal.aborted) pending.fail(fault);
  }
}

/** What the streams of some tickers have sent, over all their connections. */
class Reading {
  /** The id of the last event. Undefined before the first one, and where all quotes are to be sent again. */
  after: string | undefined;
  readonly #tickers: readonly Ticker[];
  readonly #pending: PendingBatch;
  readonly #onComplete: () => void;
  readonly #seen = new Set<string>();
  #isComplete = false;

  constructor(tickers: readonly Ticker[], { pending, onComplete }: StreamParts) {
    this.#tickers = tickers;
    this.#pending = pending;
    this.#onComplete = onComplete;
  }

  take(items: readonly StreamItem[], stream: EventStream): void {
    for (const item of items) {
      this.#pending.heard();
      if (item === 'comment') this.#complete();
      else this.#takeEvent(item, stream);
    }
    const missing = missingCount(stream.header('missing-especies'));
    if (this.#seen.size >= this.#tickers.length - missing) this.#complete();
  }

  #takeEvent({ event, id, data }: Exclude<StreamItem, 'comment'>, { observer }: EventStream): void {
    // An empty id resets it (HTML, 9.2.6).
    if (id !== undefined) this.after = id === '' ? undefined : id;
    if (event !== 'cotizacion') return;
    const mapped = mapQuote(data);
    if ('reason' in mapped) {
      this.#pending.reject([mapped]);
      observer?.mapped({ updates: [], rejected: [mapped] });
      if (mapped.symbol !== undefined) this.#seen.add(mapped.symbol);
      return;
    }
    this.#pending.add(mapped);
    observer?.mapped({ updates: [mapped], rejected: [] });
    this.#seen.add(mapped.ticker);
  }

  #complete(): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    this.#seen.clear();
    this.#onComplete();
  }
}

/** The number of tickers that the header `Missing-Especies` names (contract 4.1.5). */
export function missingCount(header: string | undefined): number {
  if (header === undefined || header === '') return 0;
  const names = header.split(',');
  const more = /^%E2%80%A6\+(\d+)$/i.exec(names.at(-1)?.trim() ?? '');
  return more === null ? names.length : names.length - 1 + Number(more[1]);
}
