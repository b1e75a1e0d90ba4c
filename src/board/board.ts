import type { Instrument } from '../domain/instruments/instrument.ts';
import type { Selection } from '../domain/instruments/selection.ts';
import type { Universe } from '../domain/instruments/universe.ts';
import { type QuoteExtras, noExtras, seesPlainChanges } from '../domain/quotes/quote-extra.ts';
import { type Quote, plainVersionOf } from '../domain/quotes/quote.ts';

/** The latest quote of every instrument, as one kind of reader sees them. */
class LatestQuotes {
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

/**
 * The reader: stores the latest quotes in memory, and finds those of a selection.
 *
 * A board only follows a writer. Quotes arrive through {@link adopt}, in any order and any number
 * of times; a quote that is not newer than the stored one is ignored. So any number of boards may
 * follow one writer, and a board that missed a quote is correct again after the next one.
 */
export class Board {
  readonly universe: Universe;
  readonly #latest: LatestQuotes;
  /** The latest change of each quote that every client sees: not those of the book alone. */
  readonly #plain: LatestQuotes;
  readonly #subscribers = new Set<(quotes: readonly Quote[]) => void>();

  constructor(universe: Universe) {
    this.universe = universe;
    this.#latest = new LatestQuotes(universe.instruments, ({ version }) => version);
    this.#plain = new LatestQuotes(universe.instruments, plainVersionOf);
  }

  /** Stores the quotes that are newer than the stored ones, and passes those to the subscribers. */
  adopt(quotes: readonly Quote[]): void {
    const adopted = this.#latest.adopt(quotes);
    if (adopted.length === 0) return;
    this.#plain.adopt(adopted);
    for (const onQuotes of this.#subscribers) onQuotes(adopted);
  }

  /** The latest quote of an instrument of this board's universe; undefined when it has none yet. */
  quote(instrument: Instrument): Quote | undefined {
    return this.#latest.quote(instrument);
  }

  /** The number of instruments that have a quote. */
  get size(): number {
    return this.#latest.size;
  }

  /** The highest version of all quotes; 0 without quotes. */
  get latestVersion(): number {
    return this.#latest.latestVersion;
  }

  /**
   * The latest quotes for a reader of some extras. Without extras, a quote stays the same while only its
   * book changes, and so does whatever was rendered from it.
   */
  latestFor(extras: QuoteExtras): LatestQuotes {
    return seesPlainChanges(extras) ? this.#plain : this.#latest;
  }

  /**
   * The instruments of a selection, each once: the tickers in the order of the request, then the
   * panel's members (contract 4.1.3). A spelling that matches no instrument is returned as text.
   */
  resolve({ tickers, panel }: Selection): readonly (Instrument | string)[] {
    const members = panel === undefined ? [] : (this.universe.panels.get(panel) ?? []);
    // A selection of a panel alone shares the panel's array.
    if (tickers.length === 0) return members;
    const named = tickers.map((spelling) => this.universe.find(spelling) ?? spelling);
    return [...new Set([...named, ...members])];
  }

  /** The instruments of a selection, in order, and the spellings that match none. */
  named(selection: Selection): {
    readonly instruments: readonly Instrument[];
    readonly missing: readonly string[];
  } {
    const named = this.resolve(selection);
    return {
      instruments: named.filter((one) => typeof one !== 'string'),
      missing: named.filter((one) => typeof one === 'string'),
    };
  }

  /** A view of the result of {@link resolve} for a reader of some extras. It may be kept and updated. */
  view(named: readonly (Instrument | string)[], extras: QuoteExtras): SelectionView {
    return new SelectionView(this.latestFor(extras), named);
  }

  /** A view of a selection. */
  select(selection: Selection, extras: QuoteExtras = noExtras): SelectionView {
    return this.view(this.resolve(selection), extras);
  }

  /** Calls back with each batch of adopted quotes until disposed. */
  subscribe(onQuotes: (quotes: readonly Quote[]) => void): Disposable {
    this.#subscribers.add(onQuotes);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(onQuotes) };
  }
}

/** The source of a view's quotes, such as a board. */
interface QuoteSource {
  readonly revision: number;
  quote(instrument: Instrument): Quote | undefined;
}

/**
 * The quotes of one selection, for callers that use it repeatedly. Whatever was rendered from the array of quotes
 * may be cached while the array is the same.
 *
 * A check costs one comparison while the board is unchanged, and otherwise one for each member (0.2
 * µs for the largest panel).
 */
export class SelectionView {
  readonly #source: QuoteSource;
  readonly #named: readonly (Instrument | string)[];
  readonly #held: (Quote | undefined)[];
  #seenRevision: number;
  #quotes: readonly Quote[];
  #missing: readonly string[];

  /** @param named instruments of the source, and spellings that match none; each once. */
  constructor(source: QuoteSource, named: readonly (Instrument | string)[]) {
    this.#source = source;
    this.#named = named;
    this.#seenRevision = source.revision;
    this.#held = named.map((one) => this.#latest(one));
    this.#quotes = this.#held.filter((quote) => quote !== undefined);
    this.#missing = this.#findMissing();
  }

  /**
   * The latest quotes, each once: the tickers in the order of the request, then the panel's members. The array is
   * the same until one of them changes.
   */
  get quotes(): readonly Quote[] {
    this.#catchUp();
    return this.#quotes;
  }

  /**
   * The selected tickers without a quote (contract 4.1.5): an unknown ticker as the client spelled
   * it, a known one in its canonical spelling.
   */
  get missing(): readonly string[] {
    this.#catchUp();
    return this.#missing;
  }

  #catchUp(): void {
    const { revision } = this.#source;
    if (revision === this.#seenRevision) return;
    this.#seenRevision = revision;
    let hasChanged = false;
    for (let at = 0; at < this.#named.length; at += 1) {
      const quote = this.#latest(this.#named[at] ?? '');
      if (quote === this.#held[at]) continue;
      this.#held[at] = quote;
      hasChanged = true;
    }
    if (!hasChanged) return;
    const quotes = this.#held.filter((quote) => quote !== undefined);
    // A quote never disappears, so an equal number of quotes means that the same ones are missing.
    if (quotes.length !== this.#quotes.length) this.#missing = this.#findMissing();
    this.#quotes = quotes;
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
