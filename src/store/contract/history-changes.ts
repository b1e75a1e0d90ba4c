import type { Ticker } from '../../domain/instruments/ticker.ts';

/** Notifies caches of history which instruments' closes or corporate actions have changed. */
export class HistoryChanges {
  readonly #listeners = new Set<(tickers: readonly Ticker[]) => void>();

  /** Calls every listener before it returns. */
  publish(tickers: readonly Ticker[]): void {
    for (const onChange of this.#listeners) onChange(tickers);
  }

  /** Calls `onChange` with every change until the subscription is disposed. */
  subscribe(onChange: (tickers: readonly Ticker[]) => void): Disposable {
    this.#listeners.add(onChange);
    return { [Symbol.dispose]: () => void this.#listeners.delete(onChange) };
  }
}
