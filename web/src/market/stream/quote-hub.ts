import { usableKey } from '../../key/api-key.ts';
import { followQuotes, type Heard, type StreamState } from '../api/quote-stream.ts';
import type { Quote } from '../api/quote.ts';
import { joinedQuery, tickersOf, type Selection } from './joined-selection.ts';

/** How long a selection that stands beside a page waits for that of the page, in milliseconds. */
const besideMs = 400;

/** A view that follows the quotes of a selection. */
export interface Follower {
  readonly selection: Selection;
  /** The tickers that the selection names. */
  readonly named: ReadonlySet<string>;
  /** Whether it stands beside the page, as the strip does, and not in it. */
  readonly isBeside: boolean;
  /** Called with each quote of a ticker that the selection names, and for a panel with every quote. */
  readonly onQuote: (quote: Quote, isNamedByOther: boolean) => void;
  /** Called with the tickers that the stream has no room for, whenever it is opened. */
  readonly onLeftOut: (tickers: readonly string[]) => void;
}

/** A stream and the views that it serves. */
interface Served {
  readonly id: string;
  readonly stop: AbortController;
  readonly followers: Set<Follower>;
  /** The latest quote of each ticker, for a view that comes later. */
  readonly latest: Map<string, Quote>;
}

/**
 * The one stream of quotes of a tab. A browser opens six connections to a host for all tabs together, so
 * the views of a tab share a stream: it follows the panel of the page, and the tickers of all views.
 *
 * A change of the views opens a new stream after the current task, so that a page that replaces another
 * one opens one stream. While only views beside the page are left, the new stream waits a moment for the
 * next page. The old one is closed when the new one is opened. If it was live, the connection counts as
 * live until the new one fails, so that nothing turns grey between two pages.
 */
export class QuoteHub {
  readonly #onState: (state: StreamState | undefined) => void;
  readonly #followers = new Set<Follower>();
  readonly #heard: Heard = { at: undefined };
  #served: Served | undefined;
  #isLive = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onState receives the state of the stream; undefined when nothing is followed any more. */
  constructor(onState: (state: StreamState | undefined) => void) {
    this.#onState = onState;
  }

  /** The latest quotes of the stream, also after it is lost. */
  get latest(): Iterable<Quote> {
    return this.#served?.latest.values() ?? [];
  }

  /** Follows the quotes of a view until the signal aborts. */
  follow(follower: Follower, signal: AbortSignal): void {
    this.#followers.add(follower);
    // Until the stream is opened anew, the quotes of the present one are the latest.
    for (const quote of this.#served?.latest.values() ?? []) {
      if (follower.named.has(quote.especie)) follower.onQuote(quote, false);
    }
    signal.addEventListener('abort', () => {
      this.#followers.delete(follower);
      this.#served?.followers.delete(follower);
      this.#openSoon();
    });
    this.#openSoon();
  }

  #openSoon(): void {
    clearTimeout(this.#timer);
    const isForPage = [...this.#followers].some(({ isBeside }) => !isBeside);
    const wait = isForPage || this.#followers.size === 0 ? 0 : besideMs;
    this.#timer = setTimeout(() => this.#open(), wait);
  }

  /** Opens a stream for all views, unless the present one serves them. */
  #open(): void {
    const all = [...this.#followers].toSorted((a, b) => Number(a.isBeside) - Number(b.isBeside));
    const key = usableKey.peek();
    if (key === undefined || all.length === 0) return this.#close();
    const selections = all.map(({ selection }) => selection);
    const query = joinedQuery(selections);
    const id = `${key} ${query}`;
    const present = this.#served;
    // Only a new stream has the quotes of a panel that no view has followed.
    const isServed = (one: Follower) =>
      !('panel' in one.selection) || present?.followers.has(one) === true;
    if (present?.id === id && all.every(isServed)) {
      for (const one of all) present.followers.add(one);
      return;
    }
    present?.stop.abort();
    const stream = { id, stop: new AbortController(), followers: new Set(all), latest: new Map() };
    this.#served = stream;
    const followed = new Set(tickersOf(selections));
    for (const { named, onLeftOut } of all) {
      onLeftOut([...named].filter((ticker) => !followed.has(ticker)));
    }
    const listener = {
      onState: (state: StreamState) => {
        if (stream === this.#served) this.#report(state);
      },
      onQuote: (quote: Quote) => deliver(quote, stream),
    };
    void followQuotes(query, listener, stream.stop.signal, this.#heard);
  }

  #close(): void {
    this.#served?.stop.abort();
    this.#served = undefined;
    this.#isLive = false;
    this.#heard.at = undefined;
    this.#onState(undefined);
  }

  #report(state: StreamState): void {
    // The stream before this one was live, so the service has just been heard.
    if (state.kind === 'connecting' && this.#isLive) return;
    this.#isLive = state.kind === 'live';
    this.#onState(state);
  }
}

function deliver(quote: Quote, { latest, followers }: Served): void {
  const { especie } = quote;
  latest.set(especie, quote);
  const isNamed = [...followers].some(({ named }) => named.has(especie));
  for (const { selection, named, onQuote } of followers) {
    if (named.has(especie)) onQuote(quote, false);
    else if ('panel' in selection) onQuote(quote, isNamed);
  }
}
