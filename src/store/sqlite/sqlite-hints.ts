import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { StoreHint, StoreHints } from '../contract/store.ts';

/** How often the version of the data is read while somebody subscribes, in milliseconds. A read takes 6 µs. */
const pollMs = 10;

/**
 * Hints that another connection has changed a SQLite file, of this process or another. SQLite raises
 * `PRAGMA data_version` of a connection with every commit of any other connection. What has changed is not known;
 * the quotes change most often, and the rest is polled. Nothing is read without a subscriber.
 */
export class SqliteHints implements StoreHints, Disposable {
  readonly #version: StatementSync;
  readonly #subscribers = new Set<(what: StoreHint) => void>();
  #seen: unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(reader: DatabaseSync) {
    this.#version = reader.prepare('PRAGMA data_version');
  }

  subscribe(onHint: (what: StoreHint) => void): Disposable {
    this.#subscribers.add(onHint);
    this.#timer ??= setInterval(() => this.#look(), pollMs).unref();
    return {
      [Symbol.dispose]: () => {
        this.#subscribers.delete(onHint);
        if (this.#subscribers.size === 0) this[Symbol.dispose]();
      },
    };
  }

  #look(): void {
    const version = this.#read();
    if (version === this.#seen) return;
    this.#seen = version;
    for (const onHint of this.#subscribers) onHint('quotes');
  }

  /** A fault of the file is reported by whoever reads its data. */
  #read(): unknown {
    try {
      return Object.values(this.#version.get() ?? {})[0];
    } catch {
      return this.#seen;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
