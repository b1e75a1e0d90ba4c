import type { Instrument } from '../domain/instrument.ts';
import type { Quote } from '../domain/quote.ts';
import type { Selection } from '../domain/selection.ts';
import type { Board } from './board.ts';

/**
 * What waits for one reader: at most the latest quote of each instrument that it follows. A reader
 * that takes seldom skips states and holds up nobody; what waits for it is bounded by what it follows.
 */
export class Follower implements Disposable {
  readonly #pending = new Map<Instrument, Quote>();
  readonly #onReady: () => void;
  readonly #onDispose: (follower: Follower) => void;

  constructor(options: {
    readonly onReady: () => void;
    readonly onDispose: (follower: Follower) => void;
  }) {
    this.#onReady = options.onReady;
    this.#onDispose = options.onDispose;
  }

  /** Whether there is anything to take. */
  get isReady(): boolean {
    return this.#pending.size > 0;
  }

  /** Puts a quote in the place of an older one of its instrument. */
  offer(quote: Quote): void {
    const wasReady = this.isReady;
    this.#pending.set(quote.instrument, quote);
    if (!wasReady) this.#onReady();
  }

  /**
   * Takes what waits, in order of version, and of more than `max` the oldest. Over the life of a
   * follower the versions that it takes rise: so the last one says what the reader has seen.
   */
  take(max: number): readonly Quote[] {
    const quotes = [...this.#pending.values()].sort((a, b) => a.version - b.version);
    if (quotes.length <= max) {
      this.#pending.clear();
      return quotes;
    }
    const taken = quotes.slice(0, max);
    for (const { instrument } of taken) this.#pending.delete(instrument);
    return taken;
  }

  /** Nothing waits any more, and nothing will. */
  [Symbol.dispose](): void {
    this.#pending.clear();
    this.#onDispose(this);
  }
}

/**
 * Hands each quote that a board adopts to those who follow its instrument, and to nobody else: a
 * change costs as much as it has readers, however many there are in all.
 */
export class FanOut implements Disposable {
  readonly #board: Board;
  readonly #followers: readonly Set<Follower>[];
  readonly #subscription: Disposable;

  constructor(board: Board) {
    this.#board = board;
    this.#followers = board.universe.instruments.map(() => new Set());
    this.#subscription = board.subscribe((quotes) => {
      for (const quote of quotes) {
        for (const follower of this.#followersOf(quote.instrument)) follower.offer(quote);
      }
    });
  }

  /**
   * Begins to follow a selection; its current quotes wait from the start.
   *
   * @param after leaves out current quotes up to this version: the reader has seen them. A version
   *   that this board has not reached is none that the reader can have seen here, and leaves out
   *   nothing.
   * @param onReady called whenever something waits where nothing did.
   */
  follow(
    selection: Selection,
    { after, onReady }: { readonly after?: number | undefined; readonly onReady: () => void },
  ): Follower {
    const instruments = this.#instrumentsOf(selection);
    const follower = new Follower({
      onReady,
      onDispose: (gone) => {
        for (const instrument of instruments) this.#followersOf(instrument).delete(gone);
      },
    });
    const seen = after === undefined || after > this.#latestVersion() ? -1 : after;
    for (const instrument of instruments) {
      this.#followersOf(instrument).add(follower);
      const quote = this.#board.quote(instrument);
      if (quote !== undefined && quote.version > seen) follower.offer(quote);
    }
    return follower;
  }

  #instrumentsOf({ tickers, panel }: Selection): ReadonlySet<Instrument> {
    const { universe } = this.#board;
    const members = panel === undefined ? [] : (universe.panels.get(panel) ?? []);
    const named = tickers.flatMap((ticker) => universe.find(ticker) ?? []);
    return new Set([...named, ...members]);
  }

  #latestVersion(): number {
    const versions = this.#board.universe.instruments.map((instrument) => {
      return this.#board.quote(instrument)?.version ?? 0;
    });
    return Math.max(0, ...versions);
  }

  #followersOf({ position }: Instrument): Set<Follower> {
    const followers = this.#followers[position];
    if (followers === undefined) throw new Error(`no instrument at position ${position}`);
    return followers;
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }
}
