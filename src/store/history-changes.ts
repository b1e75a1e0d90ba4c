import type { Ticker } from '../domain/ticker.ts';

/** Carries the news of which instruments' closes have changed, to those who keep something of them. */
export class HistoryChanges {
  readonly #listeners = new Set<(tickers: readonly Ticker[]) => void>();

  /** Tells every listener, before it returns. */
  publish(tickers: readonly Ticker[]): void {
    for (const onChange of this.#listeners) onChange(tickers);
  }

  /** Calls back with every change until disposed. */
  subscribe(onChange: (tickers: readonly Ticker[]) => void): Disposable {
    this.#listeners.add(onChange);
    return { [Symbol.dispose]: () => void this.#listeners.delete(onChange) };
  }
}
