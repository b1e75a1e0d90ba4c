import type { StatementSync } from 'node:sqlite';

import type { TermsStore } from '../../contract/terms-store.ts';
import {
  replacedTermsColumns,
  rowsOfTermsVersions,
  termsCells,
  termsColumns,
  type ReplacedTermsRow,
  type TermsRow,
} from '../../encoding/terms-row.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import { hashOfTerms } from '../seals/set-hash.ts';
import { SealedTable } from '../seals/sealed-table.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { TermsWriter } from './write-side.ts';

/** Writes the terms of bonds. Each record that changes something increases their revision by one. */
export class SqliteTermsWriter implements TermsWriter {
  readonly #writer: SqliteWriter;
  readonly #path: string;
  readonly #find: StatementSync;
  readonly #remove: StatementSync;
  readonly #raise: StatementSync;
  readonly #raiseFirst: StatementSync;
  readonly #held: SealedTable<TermsRow>;
  readonly #replaced: SealedTable<ReplacedTermsRow>;

  constructor(writer: SqliteWriter, path: string) {
    const { database } = writer;
    this.#writer = writer;
    this.#path = path;
    this.#find = database.prepare(
      `SELECT ${termsColumns.join(', ')} FROM bond_terms WHERE ticker = ?`,
    );
    this.#remove = database.prepare('DELETE FROM bond_terms WHERE ticker = ?');
    const raise = `UPDATE revisions SET value = value + 1 WHERE subject = 'terms'`;
    this.#raise = database.prepare(raise);
    this.#raiseFirst = database.prepare(`${raise} AND value = 0`);
    this.#held = new SealedTable(database, path, {
      table: 'bond_terms',
      columns: termsColumns,
      subject: 'terms',
      hashOf: hashOfTerms,
    });
    this.#replaced = new SealedTable(database, path, {
      table: 'replaced_bond_terms',
      columns: replacedTermsColumns,
      subject: 'replaced terms',
      hashOf: hashOfTerms,
    });
  }

  async record(...[{ put, remove }, { at, origin }]: Parameters<TermsStore['record']>) {
    await this.#transaction(() => {
      let changes = 0;
      const end = (before: TermsRow): void => {
        this.#remove.run(before[0]);
        this.#held.unseal(before);
        this.#replaced.put([...before, at, origin]);
      };
      for (const ticker of remove) {
        const before = this.#stored(ticker);
        if (before === undefined) continue;
        end(before);
        changes += 1;
      }
      for (const one of put) {
        const cells = termsCells(one);
        const before = this.#stored(one.ticker);
        if (before !== undefined && cells.every((cell, index) => cell === before[index])) continue;
        if (before !== undefined) end(before);
        this.#held.put([...cells, at, origin]);
        changes += 1;
      }
      (changes > 0 ? this.#raise : this.#raiseFirst).run();
    });
  }

  async restore(versions: Parameters<TermsStore['restore']>[0]): Promise<void> {
    const { stored, replaced } = rowsOfTermsVersions(versions);
    await this.#transaction(() => {
      this.#held.clear();
      this.#replaced.clear();
      for (const row of stored) this.#held.put(row);
      for (const row of replaced) this.#replaced.put(row);
      // A copy of a store without a record is one, too.
      if (versions.length > 0) this.#raise.run();
    });
  }

  #stored(ticker: string): TermsRow | undefined {
    return this.#find.get(ticker) as unknown as TermsRow | undefined;
  }

  #transaction(work: () => void): Promise<void> {
    return this.#writer.transaction(() => withFaults(this.#path, work));
  }
}
