import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';

import { noteRefusedKey, usableKey } from '../key/api-key.ts';
import { pause } from '../ui/pause.ts';
import { followQuotes, type Heard, type StreamState } from './api/quote-stream.ts';
import type { PathRow, Quote } from './api/quote.ts';
import { fetchJson, fetchTickers } from './api/service.ts';
import { connection, onRestored } from './connection.ts';
import { quoteInstant } from './format/buenos-aires.ts';
import type { LiveQuotes, Row } from './live-quotes.ts';
import { keepMembers, storedMembers } from './members.ts';
import { pathOf, withQuote, type SessionPath } from './session-path.ts';
import {
  joinedQuery,
  selectionQuery,
  tickersOf,
  type Selection,
} from './stream/joined-selection.ts';

/** Maximum time that a view beside a page waits for the view of the page, in milliseconds. */
const besideMs = 400;

/** Time after which the quotes are requested, if the stream has brought none. In milliseconds. */
const streamMsMax = 1_000;

/** Minimum interval between two sortings and counts, which read all quotes. In milliseconds. */
const momentMs = 1_000;

/** A page that was hidden for longer requests the paths again, which lack steps then. In milliseconds. */
const hiddenMsMax = 60_000;

/** A stream of the tab. */
interface Stream {
  /** Identifies the key and the request. */
  readonly id: string;
  readonly stop: AbortController;
  readonly panel: string | undefined;
  /** The requested tickers. */
  readonly named: ReadonlySet<string>;
  /** The instruments whose quotes it has brought. */
  readonly arrived: Set<string>;
}

/**
 * The quotes of this tab: each instrument has one signal, which all of its views read. One stream fills them, because
 * a browser opens six connections to a host for all tabs together: it follows the panel of the page, and the
 * tickers of all views.
 *
 * A change of the views opens a new stream after the current task, so that a page that replaces another
 * one opens one stream. While only views beside the page are left, the new stream waits a moment for the
 * next page. The old one is closed when the new one is opened, and what only its views showed is removed. If it was
 * live, the connection counts as live until the new one fails, so that nothing turns grey between two pages.
 *
 * Changes wait for the next frame, at most one per instrument. So a frame updates each row at most
 * once, whatever the rate of changes. A hidden page has no frames: it stores the latest change of
 * each instrument and shows it when the page becomes visible.
 */
class QuoteStore {
  readonly #quotes = new Map<string, Signal<Quote | undefined>>();
  readonly #paths = new Map<string, Signal<SessionPath | undefined>>();
  /** The requests of paths, by selection. A change of the fields of a view causes no further request. */
  readonly #pathRequests = new Map<string, { stop: AbortController; isAnswered: boolean }>();
  #reloadsOnReturn = false;
  readonly #pending = new Map<string, Quote>();
  readonly #views = new Map<string, View>();
  readonly #heard: Heard = { at: undefined };
  #stream: Stream | undefined;
  #openTimer: ReturnType<typeof setTimeout> | undefined;
  #isLoading = false;
  #frame: number | undefined;

  quote(ticker: string): Signal<Quote | undefined> {
    return signalIn(this.#quotes, ticker);
  }

  /** The path of an instrument. The first one of a selection requests all of its paths. */
  path(ticker: string, query: string): Signal<SessionPath | undefined> {
    if (!this.#pathRequests.has(query)) void this.#requestPaths(query);
    return signalIn(this.#paths, ticker);
  }

  /** Extends the paths of a selection with its quotes, once they are loaded. */
  extendPaths(rows: readonly Row[], query: string): void {
    if (this.#pathRequests.get(query)?.isAnswered !== true) return;
    batch(() => {
      for (const { ticker, quote } of rows) {
        const path = signalIn(this.#paths, ticker);
        if (quote !== undefined) path.value = withQuote(path.peek(), quote);
      }
    });
  }

  /** Requests the paths again after the page was hidden or the connection was lost: they lack the prices of that time. */
  #reloadPathsOnReturn(): void {
    this.#reloadsOnReturn = true;
    const reload = () => {
      for (const query of this.#pathRequests.keys()) void this.#requestPaths(query);
    };
    let hiddenAt: number | undefined;
    document.addEventListener('visibilitychange', () => {
      const now = performance.now();
      if (hiddenAt !== undefined && now - hiddenAt > hiddenMsMax) reload();
      hiddenAt = document.visibilityState === 'hidden' ? now : undefined;
    });
    onRestored(reload);
  }

  async #requestPaths(query: string): Promise<void> {
    if (!this.#reloadsOnReturn) this.#reloadPathsOnReturn();
    this.#pathRequests.get(query)?.stop.abort();
    const request = { stop: new AbortController(), isAnswered: false };
    this.#pathRequests.set(query, request);
    const { signal: stopped } = request.stop;
    const path = `/recorridos?${query}`;
    const outcome = await fetchJson<readonly PathRow[]>(path, { signal: stopped });
    // The stream beside it reports a refused request.
    if (stopped.aborted || !outcome.ok) return;
    request.isAnswered = true;
    batch(() => {
      for (const row of outcome.value) {
        const [loaded, quote] = [pathOf(row), this.quote(row.especie).peek()];
        const extended = quote === undefined ? loaded : withQuote(loaded, quote);
        signalIn(this.#paths, row.especie).value = extended;
      }
    });
  }

  /** The view of a selection. It is followed while somebody holds it. */
  view(selection: Selection, isBeside: boolean): View {
    const key = usableKey.peek();
    const id = JSON.stringify([key, isBeside, selection]);
    const known = this.#views.get(id);
    if (known !== undefined) return known;
    const view = new View(selection, isBeside);
    this.#views.set(id, view);
    return view;
  }

  /** Shows the views whose lists and quotes are known. Those that arrive together are handed over in one task. */
  loadSoon(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    setTimeout(() => {
      this.#isLoading = false;
      const ready = [...this.#views.values()].filter((view) => view.isReady());
      if (ready.length === 0) return;
      batch(() => {
        this.#show();
        for (const view of ready) view.load();
      });
    });
  }

  openSoon(): void {
    clearTimeout(this.#openTimer);
    const held = [...this.#views.values()].filter(({ isHeld }) => isHeld);
    const wait = held.length > 0 && held.every(({ isBeside }) => isBeside) ? besideMs : 0;
    this.#openTimer = setTimeout(() => this.#open(), wait);
  }

  /** Opens a stream for all views, unless the present one serves them. */
  #open(): void {
    this.#endUnheld();
    const views = [...this.#views.values()].toSorted(
      (a, b) => Number(a.isBeside) - Number(b.isBeside),
    );
    const selections = views.map(({ selection }) => selection);
    const key = usableKey.peek();
    const query = joinedQuery(selections);
    const id = `${key} ${query}`;
    if (key === undefined || views.length === 0) this.#close();
    else if (this.#stream?.id !== id) {
      this.#stream?.stop.abort();
      const stream = {
        id,
        stop: new AbortController(),
        panel: views.find(({ panel }) => panel !== undefined)?.panel,
        named: new Set(tickersOf(selections)),
        arrived: new Set<string>(),
      };
      this.#continueIn(stream);
      this.#stream = stream;
      const listener = {
        onState: (state: StreamState) => this.#report(state, stream),
        onQuote: (quote: Quote) => this.#receive(quote, stream),
      };
      void followQuotes(query, listener, stream.stop.signal, this.#heard);
    }
    for (const view of views) view.stream = this.#stream;
    this.loadSoon();
  }

  #endUnheld(): void {
    for (const [id, view] of this.#views) {
      if (view.isHeld) continue;
      this.#views.delete(id);
      view[Symbol.dispose]();
    }
    const queries = new Set([...this.#views.values()].map(({ query }) => query));
    for (const [query, { stop }] of this.#pathRequests) {
      if (queries.has(query)) continue;
      stop.abort();
      this.#pathRequests.delete(query);
    }
  }

  #close(): void {
    this.#stream?.stop.abort();
    this.#continueIn(undefined);
    this.#stream = undefined;
    this.#heard.at = undefined;
    connection.value = undefined;
  }

  /** Removes the quotes that the next stream does not continue, such as those that it has no room for. */
  #continueIn(next: Stream | undefined): void {
    const { panel, named } = this.#stream ?? {};
    const isSame = panel !== undefined && panel === next?.panel;
    const views = [...this.#views.values()].filter((view) => view.panel === panel);
    const listed = new Set(views.flatMap(({ tickers }) => tickers.peek()));
    // An instrument that no view has named is a member of the panel of the stream.
    const isMember = (ticker: string) => named?.has(ticker) === false || listed.has(ticker);
    batch(() => {
      this.#show();
      for (const [ticker, quote] of this.#quotes) {
        const isKept = next?.named.has(ticker) === true || (isSame && isMember(ticker));
        if (!isKept) quote.value = undefined;
      }
    });
  }

  #report(state: StreamState, stream: Stream): void {
    if (stream !== this.#stream) return;
    // The stream before this one was live, so the service has just been heard.
    if (state.kind === 'connecting' && connection.peek()?.kind === 'live') return;
    if (state.kind === 'waiting' || state.kind === 'refused') {
      for (const view of this.#views.values()) view.settle();
    }
    connection.value = state;
    if (state.kind === 'refused' && state.status === 401) noteRefusedKey();
  }

  /** The time of the newest price on screen, in milliseconds since 1970. */
  newestPriceAt(): number | undefined {
    const times = [...this.#quotes.values()].flatMap((quote) => {
      const { fecha, hora } = quote.peek() ?? {};
      return fecha === undefined || hora === undefined ? [] : quoteInstant(fecha, hora);
    });
    return times.length === 0 ? undefined : Math.max(...times);
  }

  /** Takes the response to a request. What the stream has brought is newer. */
  take(quotes: readonly Quote[]): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    for (const quote of quotes) {
      if (!stream.arrived.has(quote.especie)) this.#receive(quote, stream);
    }
  }

  #receive(quote: Quote, stream: Stream): void {
    if (stream !== this.#stream) return;
    stream.arrived.add(quote.especie);
    this.#pending.set(quote.especie, quote);
    this.#frame ??= requestAnimationFrame(() => this.#show());
    if ([...this.#views.values()].some(({ isDue }) => isDue)) this.loadSoon();
  }

  #show(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    batch(() => {
      for (const [ticker, quote] of this.#pending) this.quote(ticker).value = quote;
      const changed = [...this.#pending.keys()];
      for (const view of this.#views.values()) view.note(changed);
    });
    this.#pending.clear();
  }
}

function signalIn<T>(
  known: Map<string, Signal<T | undefined>>,
  ticker: string,
): Signal<T | undefined> {
  const found = known.get(ticker) ?? signal<T | undefined>(undefined);
  known.set(ticker, found);
  return found;
}

/** The quotes of this tab. */
export const store = new QuoteStore();

/**
 * A selection whose quotes are shown.
 *
 * The members of a panel come from `/especies.txt`, in the order of the panel, so that an
 * instrument without a quote has a row. So has each instrument that is selected by its ticker. The quotes wait for
 * the list, so that the rows come at once and in their order, unless a request of the list fails. Until then, the
 * tickers are those that the panel had last. While the service cannot be reached, they are shown without
 * quotes. If the stream brings no quote within a second, for example because the key has too many streams, they are
 * requested. A view beside the page takes its quotes from the stream alone.
 */
class View implements LiveQuotes, Disposable {
  readonly selection: Selection;
  /** The parameters of the selection, without further fields. */
  readonly query: string;
  readonly panel: string | undefined;
  /** Whether it stands beside the page, as the strip does, and not in it. */
  readonly isBeside: boolean;
  readonly tickers = signal<readonly string[]>([]);
  readonly isLoaded = signal(false);
  readonly moment = signal(0);
  readonly #known = computed(() => new Set(this.tickers.value));
  readonly #stop = new AbortController();
  /** Whether its tickers are listed, and not shown yet. */
  isDue = false;
  /** The stream that was opened for it last. */
  stream: Stream | undefined;
  /** Whether instruments without a quote have none, or the service cannot be reached. */
  #isSettled: boolean;
  #holders = 0;
  #momentTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(selection: Selection, isBeside: boolean) {
    this.selection = selection;
    this.query = selectionQuery(selection);
    this.isBeside = isBeside;
    this.#isSettled = isBeside;
    if ('tickers' in selection) this.#list(selection.tickers);
    else {
      this.panel = selection.panel;
      this.tickers.value = storedMembers(selection.panel);
      void this.#readMembers(selection.panel);
    }
    if (!isBeside) void this.#requestLate();
  }

  get isHeld(): boolean {
    return this.#holders > 0;
  }

  /** Follows the quotes until the returned function is called. */
  hold(): () => void {
    this.#holders += 1;
    store.openSoon();
    return () => {
      this.#holders -= 1;
      store.openSoon();
    };
  }

  quote(ticker: string): ReadonlySignal<Quote | undefined> {
    return store.quote(ticker);
  }

  path(ticker: string): ReadonlySignal<SessionPath | undefined> {
    return store.path(ticker, this.query);
  }

  rows(order: readonly string[] = this.tickers.value): readonly Row[] {
    const isLoaded = this.isLoaded.peek();
    return order.map((ticker) => ({
      ticker,
      quote: isLoaded ? store.quote(ticker).peek() : undefined,
    }));
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    clearTimeout(this.#momentTimer);
  }

  /** Whether it can be shown: it is due, and its quotes are known. */
  isReady(): boolean {
    return this.isDue && this.stream !== undefined && (this.#isSettled || this.#hasQuotes());
  }

  /** Shows the tickers that are known without waiting for the list or the quotes, which the service does not send. */
  settle(): void {
    if (!this.isLoaded.peek() && this.tickers.peek().length > 0) this.isDue = true;
    this.#endWait();
  }

  /** Stops waiting for quotes: the view is shown as soon as its tickers are listed. */
  #endWait(): void {
    this.#isSettled = true;
    store.loadSoon();
  }

  /** Whether quotes of it have arrived. For a panel, quotes that other views have named do not count. */
  #hasQuotes(): boolean {
    const { arrived, named } = this.stream ?? {};
    const isOf = (ticker: string) => this.panel === undefined || named?.has(ticker) === false;
    return this.tickers.peek().some((ticker) => arrived?.has(ticker) === true && isOf(ticker));
  }

  load(): void {
    this.isDue = false;
    this.isLoaded.value = true;
    // A new array, so that everything derived from it is computed again, even if the tickers are the same.
    this.tickers.value = [...this.tickers.peek()];
    this.note([...(this.stream?.arrived ?? [])]);
    this.#noteMoment();
  }

  /** Notes which quotes changed. Adds those that no view names: the list does not have them yet. */
  note(changed: readonly string[]): void {
    if (!this.isLoaded.peek()) return;
    const known = this.#known.peek();
    const { panel, named } = this.stream ?? {};
    const isOf = panel !== undefined && panel === this.panel;
    const added = changed.filter((one) => isOf && !known.has(one) && named?.has(one) === false);
    if (added.length > 0) this.tickers.value = [...this.tickers.peek(), ...added];
    if (added.length > 0 || changed.some((one) => known.has(one))) this.#noteMoment();
  }

  #noteMoment(): void {
    this.#momentTimer ??= setTimeout(() => {
      this.#momentTimer = undefined;
      this.moment.value += 1;
      store.extendPaths(this.rows(), this.query);
    }, momentMs);
  }

  async #readMembers(panel: string): Promise<void> {
    const { signal: stopped } = this.#stop;
    const onFailure = () => this.#list(this.tickers.peek());
    const options = { signal: stopped, onFailure };
    const outcome = await fetchTickers(this.query, options);
    if (stopped.aborted) return;
    if (outcome.ok) keepMembers(panel, outcome.value);
    this.#list(outcome.ok ? outcome.value : []);
  }

  /** Requests the quotes, if the stream does not bring them. */
  async #requestLate(): Promise<void> {
    const { signal: stopped } = this.#stop;
    await pause(streamMsMax, stopped);
    if (stopped.aborted || this.#hasQuotes()) return;
    const options = { signal: stopped, onFailure: () => this.settle() };
    const path = `/cotizaciones?${joinedQuery([this.selection])}`;
    const outcome = await fetchJson<readonly Quote[]>(path, options);
    if (stopped.aborted) return;
    if (outcome.ok) store.take(outcome.value);
    this.#endWait();
  }

  #list(tickers: readonly string[]): void {
    this.tickers.value = tickers;
    this.isDue = true;
    store.loadSoon();
  }
}
