import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { CloseVersion } from '../../../domain/history/versions.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type {
  ChangeStamp,
  DayRange,
  HistoryTransaction,
  HistoryWriter,
} from '../../contract/history-store.ts';
import { fromCloseRow } from '../../encoding/close-row.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import {
  SourceIds,
  CloseChanges,
  prepareCloses,
  type CloseStatements,
  ClosePuts,
} from './put-closes.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/** Writes daily closes, one transaction at a time. */
export class SqliteHistoryWriter implements HistoryWriter {
  readonly #writer: SqliteWriter;
  readonly #statements: CloseStatements;
  readonly #path: string;

  constructor(writer: SqliteWriter, path: string) {
    this.#writer = writer;
    this.#path = path;
    this.#statements = prepareCloses(writer.database, path);
  }

  transaction<T>(
    work: (transaction: HistoryTransaction) => Promise<T>,
    stamp: ChangeStamp,
  ): Promise<T> {
    return this.#writer.transaction(async () => {
      const transaction = new SqliteHistoryTransaction(this.#statements, this.#path, stamp);
      try {
        const result = await work(transaction);
        transaction.finish();
        return result;
      } finally {
        transaction.end();
      }
    });
  }
}

/**
 * One open transaction. After a failure it cannot be committed, even when the caller caught the error,
 * because SQLite may have rolled back the earlier statements.
 */
class SqliteHistoryTransaction implements HistoryTransaction {
  readonly #statements: CloseStatements;
  readonly #path: string;
  readonly #changed = new Map<number, Ticker>();
  readonly #changes: CloseChanges;
  readonly #puts: ClosePuts;
  #state: 'open' | 'failed' | 'ended' = 'open';
  #failure: unknown;

  constructor(statements: CloseStatements, path: string, stamp: ChangeStamp) {
    this.#statements = statements;
    this.#path = path;
    this.#changes = new CloseChanges(statements.changes, stamp);
    const sourceIds = new SourceIds(statements.sources);
    this.#puts = new ClosePuts({ statements, changes: this.#changes, sourceIds });
  }

  async read(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]> {
    return this.#attempt(() => {
      const { closes } = this.#statements;
      const id = closes.idOf(ticker);
      return id === undefined ? [] : closes.rows(id, range).map((row) => fromCloseRow(row));
    });
  }

  async put(ticker: Ticker, closes: readonly DailyClose[]): Promise<void> {
    if (closes.length === 0) return;
    this.#attempt(() => {
      const id = this.#statements.instruments.of(ticker);
      if (this.#puts.put(id, closes)) this.#changed.set(id, ticker);
    });
  }

  async restore(ticker: Ticker, versions: readonly CloseVersion[]): Promise<void> {
    this.#attempt(() => {
      const id = this.#statements.instruments.of(ticker);
      for (const remove of this.#statements.removeAll) remove.run(id);
      this.#puts.restore(id, versions);
      this.#changed.set(id, ticker);
    });
  }

  /** Marks the changed instruments with a new revision, for readers. It is the last step before the commit. */
  finish(): void {
    this.#attempt(() => {
      if (this.#changed.size === 0) return;
      this.#changes.finish();
      this.#statements.raise.run();
      for (const [id, ticker] of this.#changed) {
        this.#statements.mark.run(id);
        this.#statements.markSeal.run(ticker);
      }
    });
  }

  /** Ends the transaction. Its methods throw from then on. */
  end(): void {
    this.#state = 'ended';
  }

  #attempt<T>(run: () => T): T {
    if (this.#state === 'ended') throw new Error('the transaction has ended');
    if (this.#state === 'failed') throw this.#failure;
    try {
      return withFaults(this.#path, run);
    } catch (error) {
      this.#state = 'failed';
      this.#failure = error;
      throw error;
    }
  }
}
