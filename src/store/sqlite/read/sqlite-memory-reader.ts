import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { firstEpochDay, lastEpochDay } from '../../../domain/calendar/plain-date.ts';
import type { CloseVersion } from '../../../domain/history/versions.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { DayRange } from '../../contract/history-store.ts';
import type { StoreMemory } from '../../contract/store-memory.ts';
import { fromCloseRow } from '../../encoding/close-row.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';
import { historySql } from '../rows/history-sql.ts';
import { firstChangeId } from '../schema/schema.ts';
import { StoredChanges } from '../seals/stored-changes.ts';
import { Snapshot } from '../seals/set-seal.ts';
import { VerifiedCloses } from '../seals/verified-closes.ts';

const always = { from: firstEpochDay, to: lastEpochDay };

/** Reads the memory of closes, and compares it with its seals. */
export class SqliteMemoryReader implements Omit<StoreMemory, 'readActions' | 'readTerms'> {
  readonly #path: string;
  readonly #snapshot: Snapshot;
  readonly #closes: VerifiedCloses;
  readonly #changes: StoredChanges;
  readonly #count: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#snapshot = new Snapshot(database);
    this.#closes = new VerifiedCloses(database, path);
    this.#changes = new StoredChanges(database, path);
    this.#count = database.prepare(historySql.countKnown);
  }

  async readCloses(ticker: Ticker, range: DayRange): Promise<readonly CloseVersion[]> {
    return this.#read(() => {
      const id = this.#closes.idOf(ticker);
      if (id === undefined) return [];
      const replaced = this.#closes.replaced(id, range).map((row) => ({
        value: fromCloseRow(row),
        stored: this.#changes.of(row[7]),
        replaced: this.#changes.of(row[9]),
      }));
      const stored = this.#closes
        .rows(id, range)
        .map((row) => ({ value: fromCloseRow(row), stored: this.#changes.of(row[7]) }));
      // Sorting is stable, so the stored close of a day comes after those that it replaced.
      return replaced.length === 0
        ? stored
        : [...replaced, ...stored].sort((a, b) => a.value.day - b.value.day);
    });
  }

  async countCloses(
    tickers: readonly Ticker[],
    { from, to }: DayRange,
    instant: number,
  ): Promise<readonly number[]> {
    return this.#read(() =>
      tickers.map((ticker) => {
        const id = this.#closes.idOf(ticker);
        if (id === undefined) return 0;
        return soundNumber(this.#path, this.#count.get(id, from, to, instant));
      }),
    );
  }

  async knownSince(ticker: Ticker): Promise<number | undefined> {
    return this.#read(() => {
      const id = this.#closes.idOf(ticker);
      if (id === undefined) return undefined;
      const rows = [...this.#closes.replaced(id, always), ...this.#closes.rows(id, always)];
      const changes = new Set(rows.map((row) => row[7]));
      return changes.size === 0
        ? undefined
        : Math.min(...Array.from(changes, (change) => this.#changes.of(change).at));
    });
  }

  async began(): Promise<number> {
    return this.#read(() => this.#changes.of(firstChangeId).at);
  }

  #read<T>(read: () => T): T {
    return withFaults(this.#path, () => this.#snapshot.run(read));
  }
}
