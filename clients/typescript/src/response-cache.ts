/** A response that a 304 confirms. */
export interface CachedResponse {
  readonly etag: string;
  readonly data: unknown;
}

/**
 * The latest responses by address, up to a number of characters of their bodies. The least recently used
 * one is dropped.
 */
export class ResponseCache {
  readonly #charactersMax: number;
  readonly #entries = new Map<string, CachedResponse & { readonly characters: number }>();
  #characters = 0;

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  get(url: string): CachedResponse | undefined {
    const entry = this.#entries.get(url);
    if (entry === undefined) return undefined;
    // A Map has the order of insertion, so the first one is the least recently used.
    this.#entries.delete(url);
    this.#entries.set(url, entry);
    return entry;
  }

  put(url: string, response: CachedResponse, characters: number): void {
    this.#remove(url);
    if (characters > this.#charactersMax) return;
    this.#entries.set(url, { ...response, characters });
    this.#characters += characters;
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= this.#charactersMax) return;
      this.#remove(oldest);
    }
  }

  #remove(url: string): void {
    this.#characters -= this.#entries.get(url)?.characters ?? 0;
    this.#entries.delete(url);
  }
}
