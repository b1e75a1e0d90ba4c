import type { Quote } from '../domain/quote.ts';

/**
 * Where the writer and the readers meet. It carries whole quotes, never deltas: a reader that misses
 * one is right again with the next, and a repeated one does no harm.
 */
export interface Bus {
  /** Hands quotes of rising versions to every subscriber. Never waits for one. */
  publish(quotes: readonly Quote[]): void;

  /** Calls back with each batch until disposed. */
  subscribe(onQuotes: (quotes: readonly Quote[]) => void): Disposable;
}
