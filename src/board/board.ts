import type { Instrument } from '../domain/instrument.ts';
import type { Quote } from '../domain/quote.ts';
import type { Selection } from '../domain/selection.ts';
import type { Universe } from '../domain/universe.ts';
import { SelectionView } from './selection-view.ts';

/**
 * The reader: stores the latest quotes in memory, and finds those of a selection.
 *
 * A board only follows a writer. Quotes arrive through {@link adopt}, in any order and any number
 * of times; a quote that is not newer than the stored one is ignored. So any number of boards may
 * follow one writer, and a board that missed a quote is correct again after the next one.
 */
export class Board {
  readonly universe: Universe;
  readonly #quotes: (Quote | undefined)[];
  readonly #subscribers = new Set<(quotes: readonly Quote[]) => void>();
  #revision = 0;

  constructor(universe: Universe) {
    this.universe = universe;
    this.#quotes = Array.from({ length: universe.instruments.length });
  }

  /** Increases whenever a quote is adopted. While it is the same, no stored quote has changed. */
  get revision(): number {
    return this.#revision;
  }

  /** Stores the quotes that are newer than the stored ones, and passes those to the subscribers. */
  adopt(quotes: readonly Quote[]): void {
    const adopted = quotes.filter((quote) => this.#adoptOne(quote));
    if (adopted.length === 0) return;
    this.#revision += 1;
    for (const onQuotes of this.#subscribers) onQuotes(adopted);
  }

  #adoptOne(quote: Quote): boolean {
    const { position } = quote.instrument;
    const held = this.#quotes[position];
    if (held !== undefined && held.version >= quote.version) return false;
    this.#quotes[position] = quote;
    return true;
  }

  /** The latest quote of an instrument of this board's universe; undefined when it has none yet. */
  quote(instrument: Instrument): Quote | undefined {
    return this.#quotes[instrument.position];
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

  /** A view of the result of {@link resolve}. It may be kept and updated. */
  view(named: readonly (Instrument | string)[]): SelectionView {
    return new SelectionView(this, named);
  }

  /** A view of a selection. */
  select(selection: Selection): SelectionView {
    return this.view(this.resolve(selection));
  }

  /** Calls back with each batch of adopted quotes until disposed. */
  subscribe(onQuotes: (quotes: readonly Quote[]) => void): Disposable {
    this.#subscribers.add(onQuotes);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(onQuotes) };
  }
}
