import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { ChangeOrigin, StoreChange } from '../../../../domain/changes/version.ts';
import type { ChangeStamp } from '../../../contract/history-store.ts';
import { sealOfChange } from '../../seals/set-hash.ts';

/** The statements of {@link CloseChanges}. */
export interface ChangeStatements {
  readonly add: StatementSync;
  readonly set: StatementSync;
}

export function prepareChanges(database: DatabaseSync): ChangeStatements {
  return {
    add: database.prepare('INSERT INTO changes (at, origin, seal) VALUES (0, ?, 0) RETURNING id'),
    set: database.prepare('UPDATE changes SET at = ?, seal = ? WHERE id = ?'),
  };
}

/** The changes that one transaction adds: its own, and those of closes that are restored. */
export class CloseChanges {
  readonly #statements: ChangeStatements;
  readonly #stamp: ChangeStamp;
  readonly #restored = new Map<string, number>();
  #own: number | undefined;

  constructor(statements: ChangeStatements, stamp: ChangeStamp) {
    this.#statements = statements;
    this.#stamp = stamp;
  }

  /** The id of the transaction's own change. Its instant is set at the end. */
  get own(): number {
    this.#own ??= this.#add(this.#stamp.origin);
    return this.#own;
  }

  /** The id of a change of a copy. */
  restored({ at, origin }: StoreChange): number {
    const key = `${at} ${origin}`;
    const known = this.#restored.get(key);
    if (known !== undefined) return known;
    const id = this.#add(origin);
    this.#set(id, { at, origin });
    this.#restored.set(key, id);
    return id;
  }

  /** Sets the instant of the transaction's own change, if it made one. */
  finish(): void {
    if (this.#own === undefined) return;
    this.#set(this.#own, { at: this.#stamp.now(), origin: this.#stamp.origin });
  }

  #add(origin: ChangeOrigin): number {
    const [id] = this.#statements.add.get(origin) as unknown as readonly [number];
    return id;
  }

  #set(id: number, { at, origin }: StoreChange): void {
    if (!Number.isSafeInteger(at)) throw new RangeError(`a change cannot be at ${at}`);
    this.#statements.set.run(at, sealOfChange([id, at, origin]), id);
  }
}
