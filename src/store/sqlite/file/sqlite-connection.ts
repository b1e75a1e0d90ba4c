import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Row } from '../../sql/sql.ts';
import { trustingStatements, withFaults } from './sqlite-fault.ts';

/** A connection and its statements, which are prepared when they are first used. */
export class SqliteConnection {
  readonly where: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<
    string,
    { readonly statement: StatementSync; readonly values: number }
  >();

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.where = path;
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a statement says which rows it has
  all<R extends Row>(text: string, values: Row = []): readonly R[] {
    return this.statement(text, values.length).all(...values) as unknown as readonly R[];
  }

  /** @param given the number of its values: SQLite would bind null to one that is missing. */
  statement(text: string, given: number): StatementSync {
    let known = this.#statements.get(text);
    if (known === undefined) {
      const marks = text.match(/\$\d+/g) ?? [];
      const statement = this.#database.prepare(text.replaceAll('$', '?'));
      known = { statement, values: new Set(marks).size };
      this.#statements.set(text, known);
    }
    if (known.values !== given) throw new Error(`${given} values for ${text}`);
    return known.statement;
  }

  run<T>(work: () => T): T {
    return withFaults(this.where, () => trustingStatements(this.where, work));
  }

  /**
   * Runs statements that read on one state of the database: a commit of another process between two of them
   * is not seen. Within a transaction of the caller, they see that transaction.
   */
  snapshot<T>(read: () => T): T {
    if (this.#database.isTransaction) return read();
    this.statement('BEGIN', 0).run();
    try {
      return read();
    } finally {
      // After some errors SQLite has ended the transaction.
      if (this.#database.isTransaction) this.statement('COMMIT', 0).run();
    }
  }
}
