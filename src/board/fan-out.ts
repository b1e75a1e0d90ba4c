import type { Instrument } from '../domain/instruments/instrument.ts';
import type { Quote } from '../domain/quotes/quote.ts';
import {
  differFor,
  noExtras,
  seesPlainChanges,
  versionFor,
  type QuoteExtras,
} from '../domain/quotes/quote-extra.ts';
import type { Selection } from '../domain/instruments/selection.ts';
import type { Board } from './board.ts';

/**
 * The pending quotes of one reader: at most the latest one of each instrument that it follows. A
 * slow reader skips intermediate quotes and does not delay others. Its memory is bounded by the
 * number of instruments it follows.
 */
export class QuoteFollower implements Disposable {
  /** What the reader gets beside the plain quote. */
  readonly extras: QuoteExtras;
  readonly #pending = new Map<Instrument, Quote>();
  readonly #onReady: () => void;
  readonly #onDispose: (follower: QuoteFollower) => void;

  constructor(options: {
    readonly extras: QuoteExtras;
    readonly onReady: () => void;
    readonly onDispose: (follower: QuoteFollower) => void;
  }) {
    this.extras = options.extras;
    this.#onReady = options.onReady;
    this.#onDispose = options.onDispose;
  }

  /** Whether any quote is pending. */
  get isReady(): boolean {
    return this.#pending.size > 0;
  }

  /** Adds a pending quote. It replaces an older one of the same instrument. */
  offer(quote: Quote): void {
    const wasReady = this.isReady;
    this.#pending.set(quote.instrument, quote);
    if (!wasReady) this.#onReady();
  }

  /**
   * Removes and returns the pending quotes in order of version: the oldest `max` of them. The
   * versions that one follower returns only increase, so the last one tells what the reader has
   * seen.
   */
  take(max: number): readonly Quote[] {
    const quotes = [...this.#pending.values()].sort(
      (a, b) => versionFor(a, this.extras) - versionFor(b, this.extras),
    );
    if (quotes.length <= max) {
      this.#pending.clear();
      return quotes;
    }
    const taken = quotes.slice(0, max);
    for (const { instrument } of taken) this.#pending.delete(instrument);
    return taken;
  }

  /** Discards the pending quotes and stops following. */
  [Symbol.dispose](): void {
    this.#pending.clear();
    this.#onDispose(this);
  }
}

/** The followers of one instrument. */
interface Followers {
  /** Those of the plain quote. They get no change of the book alone. */
  readonly plain: Set<QuoteFollower>;
  /** Those that get extras. Each gets the changes that it sees. */
  readonly withExtras: Set<QuoteFollower>;
  /** The quote that the followers were offered last. */
  latest: Quote | undefined;
}

/**
 * Passes each quote that a board adopts to the followers of its instrument only. The cost of a
 * change is proportional to the followers of its instrument, not to all followers.
 */
export class FanOut implements Disposable {
  readonly #board: Board;
  readonly #followers: readonly Followers[];
  readonly #subscription: Disposable;

  constructor(board: Board) {
    this.#board = board;
    this.#followers = board.universe.instruments.map((instrument) => ({
      plain: new Set(),
      withExtras: new Set(),
      latest: board.quote(instrument),
    }));
    this.#subscription = board.subscribe((quotes) => {
      for (const quote of quotes) offer(quote, this.#followersOf(quote.instrument));
    });
  }

  /**
   * Starts following a selection. Its current quotes are pending from the start.
   *
   * @param after the last version that the reader has seen: current quotes up to it are skipped. A
   *   version that this board has not reached yet cannot have been seen here, so nothing is
   *   skipped.
   * @param extras what the reader gets beside the plain quote. A change of anything else is skipped.
   * @param onReady called whenever a quote becomes pending while none was.
   */
  follow(
    selection: Selection,
    {
      after,
      extras = noExtras,
      onReady,
    }: {
      readonly after?: number | undefined;
      readonly extras?: QuoteExtras;
      readonly onReady: () => void;
    },
  ): QuoteFollower {
    const instruments = this.#instrumentsOf(selection);
    const setOf = (instrument: Instrument): Set<QuoteFollower> => {
      const { plain, withExtras } = this.#followersOf(instrument);
      return seesPlainChanges(extras) ? plain : withExtras;
    };
    const follower = new QuoteFollower({
      extras,
      onReady,
      onDispose: (gone) => {
        for (const instrument of instruments) setOf(instrument).delete(gone);
      },
    });
    const seen = after === undefined || after > this.#board.latestVersion ? -1 : after;
    const latest = this.#board.latestFor(extras);
    for (const instrument of instruments) {
      setOf(instrument).add(follower);
      const quote = latest.quote(instrument);
      if (quote !== undefined && versionFor(quote, extras) > seen) follower.offer(quote);
    }
    return follower;
  }

  #instrumentsOf({ tickers, panel }: Selection): ReadonlySet<Instrument> {
    const { universe } = this.#board;
    const members = panel === undefined ? [] : (universe.panels.get(panel) ?? []);
    const named = tickers.flatMap((ticker) => universe.find(ticker) ?? []);
    return new Set([...named, ...members]);
  }

  #followersOf({ position }: Instrument): Followers {
    const followers = this.#followers[position];
    if (followers === undefined) throw new Error(`no instrument at position ${position}`);
    return followers;
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }
}

function offer(quote: Quote, followers: Followers): void {
  const { latest, plain, withExtras } = followers;
  followers.latest = quote;
  if (latest === undefined || differFor(latest, quote, noExtras)) {
    for (const follower of plain) follower.offer(quote);
  }
  for (const follower of withExtras) {
    if (latest === undefined || differFor(latest, quote, follower.extras)) follower.offer(quote);
  }
}
