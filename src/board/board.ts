import type { Instrument } from '../domain/instrument.ts';
import type { Quote } from '../domain/quote.ts';
import type { Selection } from '../domain/selection.ts';
import type { Universe } from '../domain/universe.ts';

/** What a selection found, and what it did not. */
export interface SelectionResult {
  /** Each instrument once: the tickers in the order they were asked for, then the panel's members. */
  readonly quotes: readonly Quote[];
  /**
   * What was selected and has no quote: an unknown ticker as the client spelled it, a known one in
   * its canonical spelling.
   */
  readonly missing: readonly string[];
}

/**
 * The reader: holds the latest quote of each instrument and answers selections from memory.
 *
 * A board only ever follows. Quotes reach it through {@link adopt}, in any order and any number of
 * times, and one whose version is not newer than what is held does nothing. So any number of boards
 * may follow one writer, and one that missed something is right again with the next quote.
 */
export class Board {
  readonly universe: Universe;
  readonly #quotes: (Quote | undefined)[];
  readonly #subscribers = new Set<(quotes: readonly Quote[]) => void>();

  constructor(universe: Universe) {
    this.universe = universe;
    this.#quotes = Array.from({ length: universe.instruments.length });
  }

  /** Takes the quotes that are newer than what is held, and tells the subscribers of those. */
  adopt(quotes: readonly Quote[]): void {
    const adopted = quotes.filter((quote) => this.#adoptOne(quote));
    if (adopted.length === 0) return;
    for (const onQuotes of this.#subscribers) onQuotes(adopted);
  }

  #adoptOne(quote: Quote): boolean {
    const { position } = quote.instrument;
    const held = this.#quotes[position];
    if (held !== undefined && held.version >= quote.version) return false;
    this.#quotes[position] = quote;
    return true;
  }

  /** The latest quote of an instrument of this board's universe. */
  quote(instrument: Instrument): Quote | undefined {
    return this.#quotes[instrument.position];
  }

  /** The latest quotes of what a client asks for. Sources: specification 4.1, decisions 2 to 5. */
  select(selection: Selection): SelectionResult {
    const quotes: Quote[] = [];
    const missing: string[] = [];
    const seen = new Set<Instrument | string>();
    const take = (instrument: Instrument): void => {
      if (seen.has(instrument)) return;
      seen.add(instrument);
      const quote = this.quote(instrument);
      if (quote === undefined) missing.push(instrument.ticker);
      else quotes.push(quote);
    };
    for (const spelling of selection.tickers) {
      const instrument = this.universe.find(spelling);
      if (instrument !== undefined) take(instrument);
      else if (!seen.has(spelling)) {
        seen.add(spelling);
        missing.push(spelling);
      }
    }
    if (selection.panel !== undefined) {
      for (const instrument of this.universe.panels.get(selection.panel) ?? []) take(instrument);
    }
    return { quotes, missing };
  }

  /** Calls back with each batch of adopted quotes until disposed. */
  subscribe(onQuotes: (quotes: readonly Quote[]) => void): Disposable {
    this.#subscribers.add(onQuotes);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(onQuotes) };
  }
}
