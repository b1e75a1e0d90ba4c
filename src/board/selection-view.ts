import type { Instrument } from '../domain/instrument.ts';
import type { Quote } from '../domain/quote.ts';

/** What a view looks at; a board is one. */
interface QuoteSource {
  readonly revision: number;
  quote(instrument: Instrument): Quote | undefined;
}

/**
 * What one selection shows, for those who ask again and again: it tells whether any of its quotes
 * changed since they last looked, so that what was made of them may be kept until then.
 *
 * Looking costs a comparison while the board stands still, and one for each member when it has moved
 * (0.2 µs for the largest panel).
 */
export class SelectionView {
  readonly #source: QuoteSource;
  readonly #named: readonly (Instrument | string)[];
  readonly #held: (Quote | undefined)[];
  #seenRevision: number;
  #quotes: readonly Quote[];
  #missing: readonly string[];

  /** @param named instruments of the source, and spellings that name none; each once. */
  constructor(source: QuoteSource, named: readonly (Instrument | string)[]) {
    this.#source = source;
    this.#named = named;
    this.#seenRevision = source.revision;
    this.#held = named.map((one) => this.#latest(one));
    this.#quotes = this.#held.filter((quote) => quote !== undefined);
    this.#missing = this.#findMissing();
  }

  /** How many quotes there are when none is missing. */
  get size(): number {
    return this.#named.length;
  }

  /** Each instrument once: the tickers in the order they were asked for, then the panel's members. */
  get quotes(): readonly Quote[] {
    return this.#quotes;
  }

  /**
   * What was selected and has no quote: an unknown ticker as the client spelled it, a known one in
   * its canonical spelling.
   */
  get missing(): readonly string[] {
    return this.#missing;
  }

  /** Catches up with the source, and tells whether any of the quotes is another one than before. */
  catchUp(): boolean {
    const { revision } = this.#source;
    if (revision === this.#seenRevision) return false;
    this.#seenRevision = revision;
    let hasChanged = false;
    for (let at = 0; at < this.#named.length; at += 1) {
      const quote = this.#latest(this.#named[at] ?? '');
      if (quote === this.#held[at]) continue;
      this.#held[at] = quote;
      hasChanged = true;
    }
    if (!hasChanged) return false;
    const quotes = this.#held.filter((quote) => quote !== undefined);
    // A quote may appear and never goes, so as many as before means the same ones missing.
    if (quotes.length !== this.#quotes.length) this.#missing = this.#findMissing();
    this.#quotes = quotes;
    return true;
  }

  #latest(one: Instrument | string): Quote | undefined {
    return typeof one === 'string' ? undefined : this.#source.quote(one);
  }

  #findMissing(): readonly string[] {
    return this.#named.flatMap((one, at) => {
      if (this.#held[at] !== undefined) return [];
      return typeof one === 'string' ? one : one.ticker;
    });
  }
}
