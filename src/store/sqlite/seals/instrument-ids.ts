import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { damaged } from '../../contract/store-fault.ts';
import { historySql } from '../rows/history-sql.ts';

/** Finds the ids of instruments, and gives an id to a new one, within the transaction of the caller. */
export class InstrumentIds {
  readonly #path: string;
  readonly #find: StatementSync;
  readonly #add: StatementSync;
  readonly #seal: StatementSync;

  constructor(database: DatabaseSync, path: string) {
    this.#path = path;
    this.#find = database.prepare(historySql.ids);
    this.#add = database.prepare('INSERT INTO instruments (ticker) VALUES (?) RETURNING id');
    this.#seal = database.prepare('INSERT INTO instrument_seals (ticker, id) VALUES (?, ?)');
  }

  /** @throws StoreFault `corrupt` when the instrument is found in one of two places only. */
  of(ticker: Ticker): number {
    const [id, sealed] = this.#find.get(ticker) as unknown as readonly (number | null)[];
    if (id !== sealed) {
      throw damaged(this.#path, `the instrument ${ticker} is not found as it was stored`);
    }
    if (typeof id === 'number') return id;
    const [added] = this.#add.get(ticker) as unknown as readonly [number];
    this.#seal.run(ticker, added);
    return added;
  }
}
