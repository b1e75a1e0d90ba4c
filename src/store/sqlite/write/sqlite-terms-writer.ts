import type { StatementSync } from 'node:sqlite';

import type { TermsStore } from '../../contract/terms-store.ts';
import {
  replacedTermsColumns,
  rowsOfTermsVersions,
  termsCells,
  termsColumns,
} from '../../encoding/terms-row.ts';
import type { ReplacedTermsRow, TermsRow } from '../../encoding/terms-row.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import { hashOfTerms } from '../seals/set-hash.ts';
import { SetSeal } from '../seals/set-seal.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { TermsWriter } from './write-side.ts';

const columns = termsColumns.join(', ');
const replacedColumns = replacedTermsColumns.join(', ');

/** Writes the terms of bonds. Each record that changes something increases their revision by one. */
export class SqliteTermsWriter implements TermsWriter {
  readonly #writer: SqliteWriter;
  readonly #path: string;
  readonly #find: StatementSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #keep: StatementSync;
  readonly #raise: StatementSync;
  readonly #raiseFirst: StatementSync;
  readonly #seal: SetSeal;
  readonly #replacedSeal: SetSeal;

  constructor(writer: SqliteWriter, path: string) {
    const { database } = writer;
    this.#writer = writer;
    this.#path = path;
    this.#find = database.prepare(`SELECT ${columns} FROM bond_terms WHERE ticker = ?`);
    this.#put = database.prepare(`INSERT INTO bond_terms (${columns}) VALUES (?, ?, ?, ?, ?)`);
    this.#remove = database.prepare('DELETE FROM bond_terms WHERE ticker = ?');
    this.#keep = database.prepare(
      `INSERT INTO replaced_bond_terms (${replacedColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    const raise = `UPDATE revisions SET value = value + 1 WHERE subject = 'terms'`;
    this.#raise = database.prepare(raise);
    this.#raiseFirst = database.prepare(`${raise} AND value = 0`);
    this.#seal = new SetSeal(database, path, 'terms');
    this.#replacedSeal = new SetSeal(database, path, 'replaced terms');
  }

  async record(...[{ put, remove }, { at, origin }]: Parameters<TermsStore['record']>) {
    await this.#transaction(() => {
      let changes = 0;
      const end = (before: TermsRow): void => {
        this.#remove.run(before[0]);
        this.#seal.remove([hashOfTerms(before)]);
        this.#keepRow([...before, at, origin]);
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
        this.#store([...cells, at, origin]);
        changes += 1;
      }
      (changes > 0 ? this.#raise : this.#raiseFirst).run();
    });
  }

  async restore(versions: Parameters<TermsStore['restore']>[0]): Promise<void> {
    const { stored, replaced } = rowsOfTermsVersions(versions);
    await this.#transaction(() => {
      const { database } = this.#writer;
      const all = (from: string): readonly number[] =>
        (database.prepare(`SELECT ${from}`).all() as unknown as TermsRow[]).map(hashOfTerms);
      this.#seal.remove(all(`${columns} FROM bond_terms`));
      this.#replacedSeal.remove(all(`${replacedColumns} FROM replaced_bond_terms`));
      database.exec('DELETE FROM bond_terms; DELETE FROM replaced_bond_terms');
      for (const row of stored) this.#store(row);
      for (const row of replaced) this.#keepRow(row);
      // A copy of a store without a record is one, too.
      if (versions.length > 0) this.#raise.run();
    });
  }

  #stored(ticker: string): TermsRow | undefined {
    return this.#find.get(ticker) as unknown as TermsRow | undefined;
  }

  #store(row: TermsRow): void {
    this.#put.run(...row);
    this.#seal.add([hashOfTerms(row)]);
  }

  #keepRow(row: ReplacedTermsRow): void {
    this.#keep.run(...row);
    this.#replacedSeal.add([hashOfTerms(row)]);
  }

  #transaction(work: () => void): Promise<void> {
    return this.#writer.transaction(() => withFaults(this.#path, work));
  }
}
