import type { Quote } from '../../domain/quote.ts';
import type { Bus } from '../bus.ts';

/**
 * A bus within one process. Subscribers are called before `publish` returns, in the order in which
 * they subscribed.
 */
export class LocalBus implements Bus {
  readonly #subscribers = new Set<(quotes: readonly Quote[]) => void>();

  publish(quotes: readonly Quote[]): void {
    if (quotes.length === 0) return;
    for (const onQuotes of this.#subscribers) onQuotes(quotes);
  }

  subscribe(onQuotes: (quotes: readonly Quote[]) => void): Disposable {
    this.#subscribers.add(onQuotes);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(onQuotes) };
  }
}
