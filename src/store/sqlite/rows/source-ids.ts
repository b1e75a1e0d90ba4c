import type { DatabaseSync } from 'node:sqlite';

import { idOfName, type NameStatements } from './id-of-name.ts';

/** Maximum number of cached ids. Then the cache is cleared, and the ids are looked up again. */
const idsMax = 10_000;

/**
 * The ids of the sources of closes, and the sources that do not have one yet get one. The ids are
 * cached for one transaction, because a rollback removes the new ones.
 */
export class SourceIds {
  readonly #statements: NameStatements;
  readonly #cached = new Map<string, number>();

  constructor(statements: NameStatements) {
    this.#statements = statements;
  }

  /** Null for a source that is not known. */
  of(source: string | undefined): number | null {
    if (source === undefined) return null;
    const cached = this.#cached.get(source);
    if (cached !== undefined) return cached;
    const id = idOfName(this.#statements, source);
    if (this.#cached.size >= idsMax) this.#cached.clear();
    this.#cached.set(source, id);
    return id;
  }
}

export function prepareSources(database: DatabaseSync): NameStatements {
  return {
    add: database.prepare('INSERT INTO sources (name) VALUES (?)'),
    find: database.prepare('SELECT id FROM sources WHERE name = ?'),
  };
}
