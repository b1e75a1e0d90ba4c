import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';

/** Counts the changes of what is stored of instruments: of their closes, corporate actions and terms. */
export class HistoryRevisions {
  #last = 0;
  readonly #of = new Map<Ticker, number>();

  /** The latest change of any instrument, as a number that only increases. */
  get last(): number {
    return this.#last;
  }

  /** The latest change of an instrument. */
  of(ticker: Ticker): number {
    return this.#of.get(ticker) ?? 0;
  }

  /** Notes a change of instruments. */
  increase(tickers: readonly Ticker[]): void {
    this.#last += 1;
    for (const ticker of tickers) this.#of.set(ticker, this.#last);
  }

  /** The latest change of any of these instruments, as a number that only increases. */
  latest(instruments: readonly Instrument[]): number {
    return instruments.reduce((latest, one) => Math.max(latest, this.of(one.ticker)), 0);
  }
}
