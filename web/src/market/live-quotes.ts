import { batch, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';

import type { Quote } from '../api/quote.ts';
import { followQuotes } from '../api/quote-stream.ts';
import type { StreamState } from '../api/quote-stream.ts';
import { fetchJson } from '../api/service.ts';
import { keyRefusal } from '../key/api-key.ts';

/** What everything that looks at all quotes (sorting, counting) is redone after. */
const momentMs = 1_000;

/** The connection of the quotes on screen; undefined while none are followed. */
export const connection = signal<StreamState | undefined>(undefined);

/**
 * The quotes of one selection, followed from its making to its disposal.
 *
 * Changes wait for the next frame, at most one per instrument, so however fast they come a frame
 * costs no more than one look at each row; a hidden page, which has no frames, holds the latest of
 * each and shows it when it is looked at again. The list is asked for beside the stream, to have the
 * panel's order and a first picture early; what the stream says is never older, so it wins.
 */
export class LiveQuotes implements Disposable {
  /** In the order of the selection. */
  readonly tickers: ReadonlySignal<readonly string[]>;
  /** Rises at most once a second, after changes; zero until the selection was read. */
  readonly moment: ReadonlySignal<number>;
  readonly #tickers = signal<readonly string[]>([]);
  readonly #moment = signal(0);
  readonly #quotes = new Map<string, Signal<Quote>>();
  readonly #pending = new Map<string, Quote>();
  readonly #streamed = new Set<string>();
  readonly #stop = new AbortController();
  #frame: number | undefined;
  #momentTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(selection: string, key: string) {
    this.tickers = this.#tickers;
    this.moment = this.#moment;
    void this.#readList(selection, key);
    void this.#follow(selection, key);
  }

  /** The quote of an instrument, as it changes. */
  quote(ticker: string): ReadonlySignal<Quote> | undefined {
    return this.#quotes.get(ticker);
  }

  /** All quotes as they are now, in the order of the selection. */
  all(): readonly Quote[] {
    return this.#tickers.value.flatMap((ticker) => this.#quotes.get(ticker)?.peek() ?? []);
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    clearTimeout(this.#momentTimer);
    connection.value = undefined;
  }

  async #readList(selection: string, key: string): Promise<void> {
    const { signal: stopped } = this.#stop;
    const path = `/cotizaciones?${selection}`;
    const outcome = await fetchJson<readonly Quote[]>(path, { key, signal: stopped });
    if (!outcome.ok || stopped.aborted) return;
    const listed = outcome.value.map(({ especie }) => especie);
    // What the stream has said so far is to be on screen, so that each instrument is added once.
    this.#showPending();
    batch(() => {
      for (const quote of outcome.value) {
        if (!this.#streamed.has(quote.especie)) this.#show(quote);
      }
      const further = this.#tickers.value.filter((ticker) => !listed.includes(ticker));
      this.#tickers.value = [...listed, ...further];
    });
    this.#noteMoment();
  }

  async #follow(selection: string, key: string): Promise<void> {
    const listener = {
      onState: (state: StreamState) => {
        connection.value = state;
        if (state.kind === 'refused' && state.status === 401) keyRefusal.value = state.message;
      },
      onQuote: (quote: Quote) => {
        this.#streamed.add(quote.especie);
        this.#pending.set(quote.especie, quote);
        this.#frame ??= requestAnimationFrame(() => this.#showPending());
      },
    };
    await followQuotes(selection, key, listener, this.#stop.signal);
  }

  #showPending(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    batch(() => {
      const added: string[] = [];
      for (const quote of this.#pending.values()) {
        if (this.#show(quote)) added.push(quote.especie);
      }
      if (added.length > 0) this.#tickers.value = [...this.#tickers.value, ...added];
    });
    this.#pending.clear();
    this.#noteMoment();
  }

  /** Shows a quote; gives whether its instrument is new. */
  #show(quote: Quote): boolean {
    const shown = this.#quotes.get(quote.especie);
    if (shown === undefined) this.#quotes.set(quote.especie, signal(quote));
    else shown.value = quote;
    return shown === undefined;
  }

  #noteMoment(): void {
    this.#momentTimer ??= setTimeout(() => {
      this.#momentTimer = undefined;
      this.#moment.value += 1;
    }, momentMs);
  }
}
