import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';

import type { PathRow, Quote } from './api/quote.ts';
import { fetchJson } from './api/service.ts';
import { onRestored } from './connection.ts';
import { pathOf, withQuote, type SessionPath } from './session-path.ts';

/** An instrument with its current quote. */
interface QuotedRow {
  readonly ticker: string;
  readonly quote: Quote | undefined;
}

interface Entry {
  readonly path: Signal<SessionPath | undefined>;
  /** The last quote that was added. */
  quote: Quote | undefined;
}

/** A hidden page gets no quotes. After this time, the paths lack steps. In milliseconds. */
const hiddenMsMax = 60_000;

/**
 * The paths of the sessions of a selection. They stay when the view or its columns change.
 *
 * One request (`/recorridos`) loads all of them as soon as a view asks for the first. The quotes of the
 * selection extend them from then on.
 */
export class FollowedPaths {
  readonly #query: string;
  readonly #entries = new Map<string, Entry>();
  /** Ends the request under way. Undefined before the first. */
  #stop: AbortController | undefined;
  #isLoaded = false;

  /** @param query the parameters of the selection (`panel` or `especie`). */
  constructor(query: string) {
    this.#query = query;
  }

  path(ticker: string): ReadonlySignal<SessionPath | undefined> {
    if (this.#stop === undefined) void this.#load();
    return this.#entry(ticker).path;
  }

  /** Extends the paths with the current quotes. */
  extend(rows: readonly QuotedRow[]): void {
    batch(() => {
      for (const { ticker, quote } of rows) {
        const entry = this.#entries.get(ticker);
        if (entry === undefined || quote === undefined || entry.quote === quote) continue;
        entry.quote = quote;
        if (this.#isLoaded) entry.path.value = withQuote(entry.path.value, quote);
      }
    });
  }

  /** Requests the paths again after a time without quotes, whose prices they lack. Returns what ends it. */
  keepWhole(): () => void {
    let hiddenAt: number | undefined;
    const onChange = () => {
      const now = performance.now();
      if (hiddenAt !== undefined && now - hiddenAt > hiddenMsMax) this.#reload();
      hiddenAt = document.visibilityState === 'hidden' ? now : undefined;
    };
    document.addEventListener('visibilitychange', onChange);
    const endWatch = onRestored(() => this.#reload());
    return () => {
      document.removeEventListener('visibilitychange', onChange);
      endWatch();
      this.#stop?.abort();
    };
  }

  #reload(): void {
    if (this.#stop === undefined) return;
    this.#stop.abort();
    void this.#load();
  }

  #entry(ticker: string): Entry {
    let entry = this.#entries.get(ticker);
    if (entry === undefined) {
      entry = { path: signal(undefined), quote: undefined };
      this.#entries.set(ticker, entry);
    }
    return entry;
  }

  async #load(): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    const options = { signal: stop.signal };
    const outcome = await fetchJson<readonly PathRow[]>(`/recorridos?${this.#query}`, options);
    // The stream beside it reports a refused request.
    if (stop.signal.aborted || !outcome.ok) return;
    this.#isLoaded = true;
    batch(() => {
      for (const row of outcome.value) {
        const { path, quote } = this.#entry(row.especie);
        const loaded = pathOf(row);
        path.value = quote === undefined ? loaded : withQuote(loaded, quote);
      }
    });
  }
}
