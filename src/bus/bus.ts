import type { Quote } from '../domain/quote.ts';

/**
 * Carries quotes from the writer to the readers. A message contains whole quotes, never deltas. A
 * reader that misses a quote is up to date again with the next one. A repeated quote has no effect.
 */
export interface Bus {
  /** Delivers quotes to every subscriber, without waiting for any of them. Versions only increase. */
  publish(quotes: readonly Quote[]): void;

  /** Calls `onQuotes` with each batch until the subscription is disposed. */
  subscribe(onQuotes: (quotes: readonly Quote[]) => void): Disposable;
}
