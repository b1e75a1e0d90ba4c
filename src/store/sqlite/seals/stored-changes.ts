import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { ChangeOrigin, StoreChange } from '../../../domain/changes/version.ts';
import { damaged } from '../../contract/store-fault.ts';
import { sealOfChange, type ChangeRow } from './row-hash.ts';
import { historySql } from '../rows/history-sql.ts';

/** Maximum number of cached changes. Then the cache is cleared, and they are read again. */
const changesMax = 10_000;

/** Reads the instants and origins of changes. A change is never altered once its transaction is committed. */
export class StoredChanges {
  readonly #path: string;
  readonly #find: StatementSync;
  readonly #cached = new Map<number, StoreChange>();

  constructor(database: DatabaseSync, path: string) {
    this.#path = path;
    this.#find = database.prepare(historySql.change);
  }

  /**
   * The change of an id.
   *
   * @throws StoreFault `corrupt`
   */
  of(id: number): StoreChange {
    const known = this.#cached.get(id);
    if (known !== undefined) return known;
    const change = this.#read(id);
    if (this.#cached.size >= changesMax) this.#cached.clear();
    this.#cached.set(id, change);
    return change;
  }

  #read(id: number): StoreChange {
    const row = this.#find.get(id) as unknown as readonly [...ChangeRow, seal: number] | undefined;
    const [, at, origin, seal] = row ?? [];
    if (at === undefined || origin === undefined || seal !== sealOfChange([id, at, origin])) {
      throw damaged(this.#path, `the change ${id} is not found as it was stored`);
    }
    return { at, origin: origin as ChangeOrigin };
  }
}
