import { signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';

import type { IntradayRow, Quote } from '../../market/api/quote.ts';
import { fetchJson } from '../../market/api/service.ts';
import type { Row } from '../../market/live-quotes.ts';
import { pathInterval, pathOf, withQuote } from './session-path.ts';
import type { SessionPath } from './session-path.ts';

/** Maximum number of concurrent requests. A browser opens six connections to a server. */
const requestsMax = 3;
/** The pause after a refused or failed request, in milliseconds. */
const pauseMs = 10_000;

interface Entry {
  readonly path: Signal<SessionPath | undefined>;
  /** The last quote that was added. */
  quote: Quote | undefined;
  isLoaded: boolean;
}

/**
 * The paths of the sessions of the instruments that were in view, until disposal.
 *
 * A path is requested when its row comes into view (`/intradiarios` serves one instrument at a time),
 * and extended with the quotes of the board from then on. After a broken connection, the paths in
 * view are requested again, because they lack the prices of the break.
 */
export class SessionPaths implements Disposable {
  readonly #key: string;
  readonly #entries = new Map<string, Entry>();
  readonly #inView = new Set<string>();
  readonly #queue = new Set<string>();
  readonly #stop = new AbortController();
  #requests = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(key: string) {
    this.#key = key;
  }

  /** The path of an instrument, which is loaded once it is in view. */
  path(ticker: string): ReadonlySignal<SessionPath | undefined> {
    return this.#entry(ticker).path;
  }

  /** Notes whether the row of an instrument is in view. */
  setInView(ticker: string, isInView: boolean): void {
    if (!isInView) {
      this.#inView.delete(ticker);
      this.#queue.delete(ticker);
      return;
    }
    this.#inView.add(ticker);
    if (!this.#entry(ticker).isLoaded) this.#queue.add(ticker);
    this.#work();
  }

  /** Extends the loaded paths with the current quotes. */
  extend(rows: readonly Row[]): void {
    for (const { ticker, quote } of rows) {
      const entry = this.#entries.get(ticker);
      if (entry === undefined || !entry.isLoaded || quote === undefined) continue;
      if (entry.quote === quote) continue;
      entry.quote = quote;
      entry.path.value = withQuote(entry.path.value, quote);
    }
  }

  /** Requests the paths again: at once those in view, the others when they come into view. */
  reload(): void {
    for (const entry of this.#entries.values()) entry.isLoaded = false;
    for (const ticker of this.#inView) this.#queue.add(ticker);
    this.#work();
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  #entry(ticker: string): Entry {
    let entry = this.#entries.get(ticker);
    if (entry === undefined) {
      entry = { path: signal(undefined), quote: undefined, isLoaded: false };
      this.#entries.set(ticker, entry);
    }
    return entry;
  }

  #work(): void {
    if (this.#stop.signal.aborted || this.#timer !== undefined) return;
    for (const ticker of this.#queue) {
      if (this.#requests === requestsMax) return;
      this.#queue.delete(ticker);
      this.#requests += 1;
      void this.#request(ticker);
    }
  }

  async #request(ticker: string): Promise<void> {
    const params = new URLSearchParams({ especie: ticker, intervalo: pathInterval });
    const options = { key: this.#key, signal: this.#stop.signal };
    const outcome = await fetchJson<readonly IntradayRow[]>(`/intradiarios?${params}`, options);
    if (this.#stop.signal.aborted) return;
    this.#requests -= 1;
    if (outcome.ok) {
      const entry = this.#entry(ticker);
      entry.isLoaded = true;
      const path = pathOf(outcome.value);
      entry.path.value =
        entry.quote === undefined || path === undefined ? path : withQuote(path, entry.quote);
    } else if (outcome.failure.kind === 'refused' && outcome.failure.status === 401) {
      // The stream beside it reports the invalid key.
      this.#queue.clear();
    } else {
      if (this.#inView.has(ticker)) this.#queue.add(ticker);
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#work();
      }, pauseMs);
    }
    this.#work();
  }
}
