import type { DailyClose } from '../../../domain/daily-close.ts';
import type { Ticker } from '../../../domain/ticker.ts';
import type { DayRange, HistoryTransaction, HistoryWriter } from '../../history-store.ts';
import { fromCloseRow } from '../../encoding/close-row.ts';
import type { CloseRow } from '../../encoding/close-row.ts';
import { historySql } from '../rows/history-sql.ts';
import { idOfName } from '../rows/id-of-name.ts';
import { prepareSources, SourceIds } from '../rows/source-ids.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/** Writes daily closes, one transaction at a time. */
export class SqliteHistoryWriter implements HistoryWriter {
  readonly #writer: SqliteWriter;
  readonly #statements: Statements;
  readonly #path: string;

  constructor(writer: SqliteWriter, path: string) {
    this.#writer = writer;
    this.#path = path;
    this.#statements = prepare(writer);
  }

  transaction<T>(work: (transaction: HistoryTransaction) => Promise<T>): Promise<T> {
    return this.#writer.transaction(async () => {
      const transaction = new SqliteHistoryTransaction(this.#statements, this.#path);
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

type Statements = ReturnType<typeof prepare>;

function prepare({ database }: SqliteWriter) {
  return {
    read: database.prepare(historySql.rows),
    add: database.prepare('INSERT INTO instruments (ticker) VALUES (?) ON CONFLICT DO NOTHING'),
    find: database.prepare('SELECT id FROM instruments WHERE ticker = ?'),
    // Equal rows are not written, so importing a file twice changes nothing. The source makes no
    // difference: the first source of equal closes stays.
    put: database.prepare(`
      INSERT INTO closes (instrument_id, day, close, volume, open, high, low, source_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (instrument_id, day) DO UPDATE SET
        close = excluded.close, volume = excluded.volume,
        open = excluded.open, high = excluded.high, low = excluded.low,
        source_id = excluded.source_id
      WHERE close IS NOT excluded.close OR volume IS NOT excluded.volume
        OR open IS NOT excluded.open OR high IS NOT excluded.high OR low IS NOT excluded.low`),
    sources: prepareSources(database),
    raise: database.prepare(`UPDATE revisions SET value = value + 1 WHERE subject = 'closes'`),
    mark: database.prepare(`
      UPDATE instruments
      SET closes_revision = (SELECT value FROM revisions WHERE subject = 'closes')
      WHERE id = ?`),
  };
}

/**
 * One open transaction. After a failure it cannot be committed, even when the caller caught the error,
 * because SQLite may have rolled back the earlier statements.
 */
class SqliteHistoryTransaction implements HistoryTransaction {
  readonly #statements: Statements;
  readonly #path: string;
  readonly #changed = new Set<number>();
  readonly #sourceIds: SourceIds;
  #state: 'open' | 'failed' | 'ended' = 'open';
  #failure: unknown;

  constructor(statements: Statements, path: string) {
    this.#statements = statements;
    this.#path = path;
    this.#sourceIds = new SourceIds(statements.sources);
  }

  async read(ticker: Ticker, { from, to }: DayRange): Promise<readonly DailyClose[]> {
    return this.#attempt(() => {
      const rows = this.#statements.read.all(ticker, from, to);
      return (rows as unknown as readonly CloseRow[]).map((row) => fromCloseRow(row));
    });
  }

  async put(ticker: Ticker, closes: readonly DailyClose[]): Promise<void> {
    if (closes.length === 0) return;
    this.#attempt(() => {
      const id = idOfName(this.#statements, ticker);
      if (this.#putAll(id, closes) > 0) this.#changed.add(id);
    });
  }

  /** Marks the changed instruments with a new revision, for readers. It is the last step before the commit. */
  finish(): void {
    this.#attempt(() => {
      if (this.#changed.size === 0) return;
      this.#statements.raise.run();
      for (const id of this.#changed) this.#statements.mark.run(id);
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

  #putAll(id: number, closes: readonly DailyClose[]): number {
    const { put } = this.#statements;
    let changes = 0;
    for (const { day, close, volume, open, high, low, source } of closes) {
      // SQLite would silently store NaN as null.
      if (!Number.isFinite(close)) throw new RangeError(`a close cannot be ${close}`);
      const result = put.run(
        id,
        day,
        close,
        volume,
        open ?? null,
        high ?? null,
        low ?? null,
        this.#sourceIds.of(source),
      );
      changes += Number(result.changes);
    }
    return changes;
  }
}
