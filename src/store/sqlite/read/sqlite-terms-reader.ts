import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { TermsVersion } from '../../../domain/history/versions.ts';
import type { TermsStore } from '../../contract/terms-store.ts';
import {
  replacedTermsColumns,
  termsColumns,
  termsVersions,
  type ReplacedTermsRow,
  type TermsRow,
} from '../../encoding/terms-row.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';
import { hashOfTerms } from '../seals/set-hash.ts';
import { SetSeal } from '../seals/set-seal.ts';
import { Snapshot } from '../seals/snapshot.ts';

/** Reads the terms of bonds with their memory, and compares them with their seals. */
export class SqliteTermsReader implements Pick<TermsStore, 'revision'> {
  readonly #path: string;
  readonly #snapshot: Snapshot;
  readonly #stored: StatementSync;
  readonly #replaced: StatementSync;
  readonly #revision: StatementSync;
  readonly #seal: SetSeal;
  readonly #replacedSeal: SetSeal;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#snapshot = new Snapshot(database);
    this.#stored = database.prepare(`SELECT ${termsColumns.join(', ')} FROM bond_terms`);
    this.#replaced = database.prepare(
      `SELECT ${replacedTermsColumns.join(', ')} FROM replaced_bond_terms ORDER BY position`,
    );
    this.#revision = database.prepare(`SELECT value FROM revisions WHERE subject = 'terms'`);
    this.#seal = new SetSeal(database, path, 'terms');
    this.#replacedSeal = new SetSeal(database, path, 'replaced terms');
  }

  /** As `StoreMemory.readTerms`. */
  readVersions(): readonly TermsVersion[] {
    return this.#read(() => {
      const stored = this.#stored.all() as unknown as readonly TermsRow[];
      const replaced = this.#replaced.all() as unknown as readonly ReplacedTermsRow[];
      this.#seal.verify(stored.map(hashOfTerms));
      this.#replacedSeal.verify(replaced.map(hashOfTerms));
      return termsVersions(this.#path, { stored, replaced });
    });
  }

  async revision(): Promise<number> {
    return this.#read(() => soundNumber(this.#path, this.#revision.get()));
  }

  #read<T>(read: () => T): T {
    return withFaults(this.#path, () => this.#snapshot.run(read));
  }
}
