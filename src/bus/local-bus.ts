import type { Quote } from '../domain/quotes/quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Bus } from './bus.ts';

/**
 * A bus within one process. Readers are called before `publish` returns, in the order in which they
 * subscribed.
 */
export class LocalBus implements Bus {
  readonly #readers = new Set<(quotes: readonly Quote[]) => void>();
  /** The version of the last quote of each instrument. */
  readonly #latest = new Map<Ticker, number>();

  /** A quote that is not newer than the last one of its instrument is dropped: two ends may publish it. */
  publish(quotes: readonly Quote[]): void {
    const newer = quotes.filter((quote) => this.#adopt(quote));
    if (newer.length === 0) return;
    for (const onQuotes of this.#readers) onQuotes(newer);
  }

  subscribe(onQuotes: (quotes: readonly Quote[]) => void): Disposable {
    this.#readers.add(onQuotes);
    return { [Symbol.dispose]: () => void this.#readers.delete(onQuotes) };
  }

  #adopt(quote: Quote): boolean {
    const { ticker } = quote.instrument;
    if ((this.#latest.get(ticker) ?? -1) >= quote.version) return false;
    this.#latest.set(ticker, quote.version);
    return true;
  }
}
