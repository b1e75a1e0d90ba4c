import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Maximum number of cached ids. Then the cache is cleared, and the ids are looked up again. */
const idsMax = 10_000;

/**
 * The ids of the sources of closes, and the sources that do not have one yet get one. The ids are
 * cached for one transaction, because a rollback removes the new ones.
 */
export class SourceIds {
  readonly #statements: SourceStatements;
  readonly #cached = new Map<string, number>();

  constructor(statements: SourceStatements) {
    this.#statements = statements;
  }

  /** Null for a source that is not known. */
  of(source: string | undefined): number | null {
    if (source === undefined) return null;
    const cached = this.#cached.get(source);
    if (cached !== undefined) return cached;
    const { add, find } = this.#statements;
    let row = find.get(source);
    if (row === undefined) {
      add.run(source);
      row = find.get(source);
    }
    const [id] = row as unknown as readonly [number];
    if (this.#cached.size >= idsMax) this.#cached.clear();
    this.#cached.set(source, id);
    return id;
  }
}

type SourceStatements = ReturnType<typeof prepareSources>;

export function prepareSources(database: DatabaseSync) {
  return {
    add: database.prepare('INSERT INTO sources (name) VALUES (?)'),
    find: database.prepare('SELECT id FROM sources WHERE name = ?'),
  } satisfies Record<string, StatementSync>;
}
