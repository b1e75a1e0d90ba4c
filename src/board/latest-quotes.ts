import type { Instrument } from '../domain/instruments/instrument.ts';
import type { Quote } from '../domain/quotes/quote.ts';

/** The latest quote of every instrument, as one kind of reader sees them. */
export class LatestQuotes {
  readonly #quotes: (Quote | undefined)[];
  readonly #versionOf: (quote: Quote) => number;
  #revision = 0;

  /** @param versionOf the version of the latest change of a quote that the reader sees. */
  constructor(instruments: readonly Instrument[], versionOf: (quote: Quote) => number) {
    this.#quotes = Array.from({ length: instruments.length });
    this.#versionOf = versionOf;
  }

  /** Increases whenever a quote is adopted. While it is the same, no stored quote has changed. */
  get revision(): number {
    return this.#revision;
  }

  /** The latest quote of an instrument; undefined when it has none yet. */
  quote({ position }: Instrument): Quote | undefined {
    return this.#quotes[position];
  }

  /** Stores the quotes that are newer than the stored ones, and returns those. */
  adopt(quotes: readonly Quote[]): readonly Quote[] {
    const adopted = quotes.filter((quote) => this.#adoptOne(quote));
    if (adopted.length > 0) this.#revision += 1;
    return adopted;
  }

  #adoptOne(quote: Quote): boolean {
    const { position } = quote.instrument;
    const held = this.#quotes[position];
    if (held !== undefined && this.#versionOf(held) >= this.#versionOf(quote)) return false;
    this.#quotes[position] = quote;
    return true;
  }
}
