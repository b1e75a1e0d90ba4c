import type { Quote } from '../domain/quotes/quote.ts';

/**
 * The reading end of a bus. A batch contains whole quotes, never deltas, in the order of their versions. A
 * reader never goes back: a quote that is not newer than the last one of its instrument is not delivered. A
 * slow reader may skip intermediate quotes, but never the latest one.
 */
export interface BusReader {
  /** Calls `onQuotes` with each batch until the subscription is disposed. */
  subscribe(onQuotes: (quotes: readonly Quote[]) => void): Disposable;

  /**
   * As {@link subscribe}, but first calls `onQuotes` with the latest quote of each instrument that is newer
   * than a version, if there is one. There is no gap between them and what is published next. So a reader
   * that continues from the highest version it has misses no instrument's latest quote.
   */
  follow(fromVersion: number, onQuotes: (quotes: readonly Quote[]) => void): Disposable;
}

/** Carries quotes from the writer to the readers. */
export interface Bus extends BusReader {
  /** Delivers quotes to every reader, without waiting for any of them. Versions only increase. */
  publish(quotes: readonly Quote[]): void;
}
