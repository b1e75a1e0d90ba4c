import { batch, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';

import type { Quote } from './api/quote.ts';
import { pause } from '../ui/pause.ts';
import { fetchJson, fetchTickers, type Outcome } from './api/service.ts';
import { noteRefusedKey } from '../key/api-key.ts';
import { connection, newestPriceAt } from './connection.ts';
import { quoteInstant } from './format/buenos-aires.ts';
import { joinedQuery, selectionQuery, type Selection } from './stream/joined-selection.ts';
import { QuoteHub } from './stream/quote-hub.ts';
import { keepMembers, storedMembers } from './members.ts';
import type { SessionPath } from './session-path.ts';
import type { FollowedPaths } from './session-paths.ts';

/** Minimum interval between two sortings and counts, which read all quotes. In milliseconds. */
const momentMs = 1_000;

/** The stream of this tab. */
const hub = new QuoteHub((state) => {
  newestPriceAt.value = state?.kind === 'live' ? undefined : newestOf(hub.latest);
  connection.value = state;
  if (state?.kind === 'refused' && state.status === 401) noteRefusedKey();
});

/** The time of the newest price of some quotes. */
function newestOf(quotes: Iterable<Quote>): number | undefined {
  const times = [...quotes].flatMap(({ fecha, hora }) =>
    hora === undefined ? [] : quoteInstant(fecha, hora),
  );
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Time after which the quotes are requested, if the stream has brought none. In milliseconds. */
const streamMsMax = 1_000;

/** An instrument of a selection, with its current quote. */
export interface Row {
  readonly ticker: string;
  /** Undefined while the instrument has no quote. */
  readonly quote: Quote | undefined;
}

/** What views read of the quotes of a selection, and of the paths of their sessions. */
export interface LiveQuotes {
  /** The tickers in the order of the selection. Until it is loaded, those that are expected. */
  readonly tickers: ReadonlySignal<readonly string[]>;
  /** Whether the quotes are listed, or the service cannot be reached. */
  readonly isLoaded: ReadonlySignal<boolean>;
  /** Increases after changes, at most once a second. Zero until the selection is loaded. */
  readonly moment: ReadonlySignal<number>;
  /** The quote of an instrument of the selection, as a signal. */
  readonly quote: (ticker: string) => ReadonlySignal<Quote | undefined> | undefined;
  /** The path of the session of an instrument. Undefined while it is not loaded, and without a quote. */
  readonly path: (ticker: string) => ReadonlySignal<SessionPath | undefined>;
  /**
   * All instruments with their current quotes.
   *
   * @param order the tickers of the rows. By default the order is that of the selection.
   */
  readonly rows: (order?: readonly string[]) => readonly Row[];
  /** What these were converted from. Absent for quotes as the service sends them. */
  readonly source?: {
    readonly live: LiveQuotes;
    /** The instrument whose prices divide those in pesos. */
    readonly dollar: string;
    readonly dollarQuote: ReadonlySignal<Quote | undefined>;
  };
}

/**
 * The quotes of one selection, followed from construction to disposal.
 *
 * Changes wait for the next frame, at most one per instrument. So a frame updates each row at most
 * once, whatever the rate of changes. A hidden page has no frames: it stores the latest change of
 * each instrument and shows it when the page becomes visible.
 *
 * The members of a panel come from `/especies.txt`, in the order of the panel, so that an
 * instrument without a quote has a row. So has each instrument that is selected by its ticker. The quotes
 * come from the stream. If it brings none within a second, for example because the key has too many streams,
 * they are requested. The quotes wait for the list, so that the rows come at once and in their order, unless a
 * request of the list fails. Until then, the tickers are those of the list, or of the panel as it was last.
 *
 * While the service cannot be reached, a panel has the members that it had last, without quotes. The list of
 * the service replaces them.
 */
export class FollowedQuotes implements LiveQuotes, Disposable {
  readonly tickers: ReadonlySignal<readonly string[]>;
  readonly isLoaded: ReadonlySignal<boolean>;
  readonly moment: ReadonlySignal<number>;
  readonly #paths: FollowedPaths;
  readonly #isLoaded = signal(false);
  readonly #tickers = signal<readonly string[]>([]);
  readonly #moment = signal(0);
  readonly #quotes = new Map<string, Signal<Quote | undefined>>();
  readonly #pending = new Map<string, Quote>();
  readonly #streamed = new Set<string>();
  readonly #firstQuote = Promise.withResolvers<void>();
  /** Quotes that another view asked for, and that the list may have too. */
  readonly #doubtful = new Map<string, Quote>();
  readonly #stop = new AbortController();
  #endWaiting = () => {};
  #isListed = false;
  #frame: number | undefined;
  #momentTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param paths those of the selection, which the quotes extend.
   * @param isBeside the view stands beside the page, and names its tickers. It needs no list, and takes its
   *   quotes from the stream alone.
   */
  constructor(selection: Selection, paths: FollowedPaths, { isBeside = false } = {}) {
    this.#paths = paths;
    this.tickers = this.#tickers;
    this.isLoaded = this.#isLoaded;
    this.moment = this.#moment;
    if (isBeside && 'tickers' in selection) this.#list(selection.tickers, []);
    else {
      this.#expect('panel' in selection ? storedMembers(selection.panel) : selection.tickers);
      void this.#readList(selection);
    }
    const onQuote = this.#receive.bind(this);
    const onLeftOut = (tickers: readonly string[]) => {
      for (const ticker of tickers) this.#forget(ticker);
    };
    const named = new Set('tickers' in selection ? selection.tickers : []);
    hub.follow({ selection, named, isBeside, onQuote, onLeftOut }, this.#stop.signal);
    if ('panel' in selection) {
      this.#endWaiting = effect(() => {
        if (connection.value?.kind === 'waiting') this.#showMembers(selection.panel);
      });
    }
  }

  quote(ticker: string): ReadonlySignal<Quote | undefined> | undefined {
    return this.#quotes.get(ticker);
  }

  path(ticker: string): ReadonlySignal<SessionPath | undefined> {
    return this.#paths.path(ticker);
  }

  rows(order: readonly string[] = this.#tickers.value): readonly Row[] {
    return order.map((ticker) => ({
      ticker,
      quote: this.#quotes.get(ticker)?.peek(),
    }));
  }

  [Symbol.dispose](): void {
    this.#endWaiting();
    this.#stop.abort();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    clearTimeout(this.#momentTimer);
  }

  async #readList(selection: Selection): Promise<void> {
    const query = joinedQuery([selection]);
    const named = selectionQuery(selection);
    const { signal: stopped } = this.#stop;
    const showStream = () => {
      this.#isListed = true;
      if (!stopped.aborted) this.#showPending();
    };
    const options = { signal: stopped, onFailure: showStream };
    const readMembers = async () => {
      const outcome = await fetchTickers(named, options);
      if (outcome.ok && !stopped.aborted) this.#expect(outcome.value);
      return outcome;
    };
    const [members, quotes] = await Promise.all([
      'panel' in selection ? readMembers() : { ok: true as const, value: selection.tickers },
      this.#readQuotes(query, options),
    ]);
    if (stopped.aborted) return;
    if (!quotes.ok) return showStream();
    if (members.ok && 'panel' in selection) keepMembers(selection.panel, members.value);
    this.#list(members.ok ? members.value : [], quotes.value);
  }

  /** Names the instruments whose quotes are awaited. */
  #expect(tickers: readonly string[]): void {
    if (!this.#isListed && this.#quotes.size === 0) this.#tickers.value = tickers;
  }

  /** The quotes, if the stream does not bring them. */
  async #readQuotes(
    query: string,
    options: NonNullable<Parameters<typeof fetchJson>[1]>,
  ): Promise<Outcome<readonly Quote[]>> {
    const { signal: stopped } = this.#stop;
    const soon = new AbortController();
    const late = pause(streamMsMax, AbortSignal.any([stopped, soon.signal]));
    await Promise.race([this.#firstQuote.promise, late]);
    soon.abort();
    if (this.#streamed.size > 0 || stopped.aborted) return { ok: true, value: [] };
    return fetchJson<readonly Quote[]>(`/cotizaciones?${query}`, options);
  }

  /** Takes the list, which gives the order. A quote of the stream replaces that of the list. */
  #list(named: readonly string[], quotes: readonly Quote[]): void {
    batch(() => {
      for (const ticker of named) this.#add(ticker);
      for (const quote of quotes) {
        if (!this.#streamed.has(quote.especie)) this.#show(quote);
      }
      const quoted = quotes.map(({ especie }) => especie);
      // Members that the panel had last, and that the stream has not brought, may have left it.
      const streamed = [...this.#streamed].filter((ticker) => this.#quotes.has(ticker));
      this.#tickers.value = [...new Set([...named, ...quoted, ...streamed])];
    });
    for (const quote of this.#doubtful.values()) {
      if (this.#quotes.has(quote.especie)) this.#pending.set(quote.especie, quote);
    }
    this.#doubtful.clear();
    this.#isListed = true;
    this.#showPending();
  }

  /** Shows the members that a panel had last, unless the service has sent something. */
  #showMembers(panel: string): void {
    if (this.#quotes.size > 0) return;
    const named = storedMembers(panel);
    batch(() => {
      for (const ticker of named) this.#add(ticker);
      this.#tickers.value = named;
      this.#isLoaded.value = true;
    });
    this.#noteMoment();
  }

  #receive(quote: Quote, isNamedByOther: boolean): void {
    if (isNamedByOther && !this.#quotes.has(quote.especie)) {
      if (!this.#isListed) this.#doubtful.set(quote.especie, quote);
      return;
    }
    // Those that arrived with the first quote are handed over in the same task, and are shown with it.
    if (this.#streamed.size === 0) setTimeout(this.#firstQuote.resolve);
    this.#streamed.add(quote.especie);
    this.#pending.set(quote.especie, quote);
    this.#frame ??= requestAnimationFrame(() => this.#showPending());
  }

  #showPending(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    if (!this.#isListed) return;
    batch(() => {
      const added: string[] = [];
      for (const quote of this.#pending.values()) {
        if (this.#show(quote)) added.push(quote.especie);
      }
      if (added.length > 0) this.#tickers.value = [...new Set([...this.#tickers.value, ...added])];
      this.#isLoaded.value = true;
    });
    this.#pending.clear();
    this.#noteMoment();
  }

  /** Shows a quote. Returns whether its instrument is new. */
  #show(quote: Quote): boolean {
    const shown = this.#quotes.get(quote.especie);
    if (shown === undefined) this.#quotes.set(quote.especie, signal(quote));
    else shown.value = quote;
    return shown === undefined;
  }

  /** Adds an instrument without a quote. */
  #add(ticker: string): void {
    if (!this.#quotes.has(ticker)) this.#quotes.set(ticker, signal(undefined));
  }

  /** Removes a quote that is no longer followed. */
  #forget(ticker: string): void {
    this.#pending.delete(ticker);
    const shown = this.#quotes.get(ticker);
    if (shown !== undefined) shown.value = undefined;
  }

  #noteMoment(): void {
    this.#momentTimer ??= setTimeout(() => {
      this.#momentTimer = undefined;
      this.#moment.value += 1;
      this.#paths.extend(this.rows());
    }, momentMs);
  }
}
