import type { Quote } from '../domain/quotes/quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Bus } from './bus.ts';

/**
 * A bus within one process. Readers are called before `publish` returns, in the order in which they
 * subscribed. The bus stores the latest quote of each instrument, for readers that come later.
 */
export class LocalBus implements Bus {
  readonly #readers = new Set<(quotes: readonly Quote[]) => void>();
  readonly #latest = new Map<Ticker, Quote>();

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

  follow(fromVersion: number, onQuotes: (quotes: readonly Quote[]) => void): Disposable {
    const newer = [...this.#latest.values()]
      .filter(({ version }) => version > fromVersion)
      .sort((a, b) => a.version - b.version);
    if (newer.length > 0) onQuotes(newer);
    return this.subscribe(onQuotes);
  }

  #adopt(quote: Quote): boolean {
    const { ticker } = quote.instrument;
    if ((this.#latest.get(ticker)?.version ?? -1) >= quote.version) return false;
    this.#latest.set(ticker, quote);
    return true;
  }
}
