import type { InstrumentInfo } from '../api/quote.ts';
import { fetchJson } from '../api/service.ts';
import { withLocalNames } from '../format/instrument-name.ts';

/** Time without typing after which the service is asked, in milliseconds. */
const pauseMs = 120;

/** Maximum length of a text, in characters (contract 4.7.1). Longer texts are cut. */
export const textLengthMax = 100;

/** The outcome of the latest text. */
export type Found =
  | { readonly kind: 'nothing-asked' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'found'; readonly instruments: readonly InstrumentInfo[] }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Searches while the user types: each text replaces the one before it, whose request is aborted. The
 * earlier result stays until the next one comes, so that the list does not flicker.
 */
export class InstrumentSearch implements Disposable {
  readonly #key: string;
  readonly #onFound: (found: Found) => void;
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(key: string, onFound: (found: Found) => void) {
    this.#key = key;
    this.#onFound = onFound;
  }

  /** Searches a text after a pause. */
  search(text: string): void {
    this[Symbol.dispose]();
    this.#stop = new AbortController();
    const wanted = text.trim().slice(0, textLengthMax);
    if (wanted === '') this.#onFound({ kind: 'nothing-asked' });
    else this.#timer = setTimeout(() => void this.#ask(wanted, this.#stop.signal), pauseMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  async #ask(text: string, stopped: AbortSignal): Promise<void> {
    const path = `/especies.json?${new URLSearchParams({ buscar: text })}`;
    const options = { key: this.#key, signal: stopped };
    const outcome = await fetchJson<readonly InstrumentInfo[]>(path, options);
    if (stopped.aborted) return;
    if (outcome.ok) this.#onFound({ kind: 'found', instruments: withLocalNames(outcome.value) });
    else {
      const { failure } = outcome;
      const message = failure.kind === 'refused' ? failure.message : 'El servicio no responde.';
      this.#onFound({ kind: 'failed', message });
    }
  }
}
