import type { Quote } from '../domain/quotes/quote.ts';

/**
 * Carries quotes from the writer to the readers. A batch contains whole quotes, never deltas, in the order of their
 * versions. A reader never goes back: a quote that is not newer than the last one of its instrument is not
 * delivered. A slow reader may skip intermediate quotes, but never the latest one.
 */
export interface Bus {
  /** Delivers quotes to every reader, without waiting for any of them. Versions only increase. */
  publish(quotes: readonly Quote[]): void;
  /** Calls `onQuotes` with each batch until the subscription is disposed. */
  subscribe(onQuotes: (quotes: readonly Quote[]) => void): Disposable;
}
