import type { Instrument } from '../domain/instrument.ts';
import type { Quote } from '../domain/quote.ts';
import type { Selection } from '../domain/selection.ts';
import type { Universe } from '../domain/universe.ts';
import { SelectionView } from './selection-view.ts';

/**
 * The reader: has the latest quotes in memory, and finds those that a selection asks for.
 *
 * A board only ever follows. Quotes reach it through {@link adopt}, in any order and any number of
 * times, and one whose version is not newer than what is held does nothing. So any number of boards
 * may follow one writer, and one that missed something is right again with the next quote.
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

  /** Rises whenever a quote is adopted; while it stands still, so does everything that is held. */
  get revision(): number {
    return this.#revision;
  }

  /** Takes the quotes that are newer than what is held, and tells the subscribers of those. */
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

  /** The latest quote of an instrument of this board's universe. */
  quote(instrument: Instrument): Quote | undefined {
    return this.#quotes[instrument.position];
  }

  /**
   * What a selection names, each once: the tickers in the order they were asked for, then the panel's
   * members. A spelling that names no instrument stays as it is.
   *
   * Sources: specification 4.1, decisions 2 to 5.
   */
  resolve({ tickers, panel }: Selection): readonly (Instrument | string)[] {
    const members = panel === undefined ? [] : (this.universe.panels.get(panel) ?? []);
    // A client that asks for nothing but a panel shares the panel's own list.
    if (tickers.length === 0) return members;
    const named = tickers.map((spelling) => this.universe.find(spelling) ?? spelling);
    return [...new Set([...named, ...members])];
  }

  /** The latest quotes of what {@link resolve} gave; the view may be kept, to ask again. */
  view(named: readonly (Instrument | string)[]): SelectionView {
    return new SelectionView(this, named);
  }

  /** The latest quotes of what a client asks for. */
  select(selection: Selection): SelectionView {
    return this.view(this.resolve(selection));
  }

  /** Calls back with each batch of adopted quotes until disposed. */
  subscribe(onQuotes: (quotes: readonly Quote[]) => void): Disposable {
    this.#subscribers.add(onQuotes);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(onQuotes) };
  }
}
