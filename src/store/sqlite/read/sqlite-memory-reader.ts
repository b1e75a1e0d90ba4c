import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { firstEpochDay, lastEpochDay } from '../../../domain/calendar/plain-date.ts';
import type {
  ActionVersion,
  CloseVersion,
  TermsVersion,
} from '../../../domain/history/versions.ts';
import type { CorporateAction } from '../../../domain/history/corporate-action.ts';
import type { IssueTerms } from '../../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { DayRange } from '../../contract/history-store.ts';
import type { StoreMemory } from '../../contract/store-memory.ts';
import { fromCloseRow } from '../../encoding/close-row.ts';
import type { Reader } from '../../sql/sql.ts';
import { actionTable } from '../../tables/actions.ts';
import { termsTable } from '../../tables/terms.ts';
import { VersionedReader } from '../../versioned-table.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';
import { historySql } from '../rows/history-sql.ts';
import { firstChangeId } from '../schema/schema.ts';
import { StoredChanges } from '../seals/stored-changes.ts';
import { Snapshot } from '../seals/set-seal.ts';
import { VerifiedCloses } from '../seals/verified-closes.ts';

const always = { from: firstEpochDay, to: lastEpochDay };

/** Reads the memory of changes, and compares it with its seals. */
export class SqliteMemoryReader implements StoreMemory {
  readonly #path: string;
  readonly #snapshot: Snapshot;
  readonly #closes: VerifiedCloses;
  readonly #changes: StoredChanges;
  readonly #count: StatementSync;
  readonly #actions: VersionedReader<CorporateAction>;
  readonly #terms: VersionedReader<IssueTerms>;

  constructor(path: string, database: DatabaseSync, sql: Reader) {
    this.#path = path;
    this.#snapshot = new Snapshot(database);
    this.#closes = new VerifiedCloses(database, path);
    this.#changes = new StoredChanges(database, path);
    this.#count = database.prepare(historySql.countKnown);
    this.#actions = new VersionedReader(sql, actionTable);
    this.#terms = new VersionedReader(sql, termsTable);
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

  readActions(): Promise<readonly ActionVersion[]> {
    return this.#actions.readVersions();
  }

  readTerms(): Promise<readonly TermsVersion[]> {
    return this.#terms.readVersions();
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
