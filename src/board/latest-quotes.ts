import type { Instrument } from '../domain/instruments/instrument.ts';
import type { Quote } from '../domain/quotes/quote.ts';

/** The latest quote of every instrument, as one kind of reader sees them. */
export class LatestQuotes {
  readonly #quotes: (Quote | undefined)[];
  readonly #versionOf: (quote: Quote) => number;
  #revision = 0;
  #size = 0;
  #latestVersion = 0;

  /** @param versionOf the version of the latest change of a quote that the reader sees. */
  constructor(instruments: readonly Instrument[], versionOf: (quote: Quote) => number) {
    this.#quotes = Array.from({ length: instruments.length });
    this.#versionOf = versionOf;
  }

  /** Increases whenever a quote is adopted. While it is the same, no stored quote has changed. */
  get revision(): number {
    return this.#revision;
  }

  /** The number of instruments that have a quote. */
  get size(): number {
    return this.#size;
  }

  /** The highest version of all quotes; 0 without quotes. */
  get latestVersion(): number {
    return this.#latestVersion;
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
    const version = this.#versionOf(quote);
    if (held !== undefined && this.#versionOf(held) >= version) return false;
    if (held === undefined) this.#size += 1;
    if (version > this.#latestVersion) this.#latestVersion = version;
    this.#quotes[position] = quote;
    return true;
  }
}
