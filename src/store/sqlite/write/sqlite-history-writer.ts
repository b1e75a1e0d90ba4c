import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { DayRange, HistoryTransaction, HistoryWriter } from '../../contract/history-store.ts';
import { fromCloseRow } from '../../encoding/close-row.ts';
import type { CloseRow } from '../../encoding/close-row.ts';
import { historySql } from '../rows/history-sql.ts';
import { addClose, blockOf, emptySeal, removeClose, RestHash } from '../seals/close-hash.ts';
import type { CloseSeal, SealedClose } from '../seals/close-hash.ts';
import { InstrumentIds } from '../seals/instrument-ids.ts';
import { VerifiedCloses } from '../seals/verified-closes.ts';
import { prepareSources, SourceIds } from '../rows/source-ids.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/** Closes that are put together of which the stored ones are read one by one, and not as a range. */
const singleReadsMax = 8;

/** Writes daily closes, one transaction at a time. */
export class SqliteHistoryWriter implements HistoryWriter {
  readonly #writer: SqliteWriter;
  readonly #statements: Statements;
  readonly #path: string;

  constructor(writer: SqliteWriter, path: string) {
    this.#writer = writer;
    this.#path = path;
    this.#statements = prepare(writer, path);
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

function prepare({ database }: SqliteWriter, path: string) {
  return {
    closes: new VerifiedCloses(database, path),
    instruments: new InstrumentIds(database, path),
    rows: database.prepare(historySql.rows),
    // Equal rows are not written, so importing a file twice changes nothing.
    put: database.prepare(`
      INSERT INTO closes (instrument_id, day, close, volume, open, high, low, source_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (instrument_id, day) DO UPDATE SET
        close = excluded.close, volume = excluded.volume,
        open = excluded.open, high = excluded.high, low = excluded.low,
        source_id = excluded.source_id
      WHERE close IS NOT excluded.close OR volume IS NOT excluded.volume
        OR open IS NOT excluded.open OR high IS NOT excluded.high OR low IS NOT excluded.low
        OR source_id IS NOT excluded.source_id`),
    seal: database.prepare(`
      INSERT INTO close_seals (instrument_id, block, rows, prices, rest) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (instrument_id, block) DO UPDATE SET rows = rows + excluded.rows,
        prices = (prices + excluded.prices) & 4294967295, rest = (rest + excluded.rest) & 4294967295`),
    sources: prepareSources(database),
    raise: database.prepare(`UPDATE revisions SET value = value + 1 WHERE subject = 'closes'`),
    mark: database.prepare(`
      UPDATE instruments
      SET closes_revision = (SELECT value FROM revisions WHERE subject = 'closes')
      WHERE id = ?`),
    markSeal: database.prepare(`
      UPDATE instrument_seals
      SET closes_revision = (SELECT value FROM revisions WHERE subject = 'closes')
      WHERE ticker = ?`),
  };
}

/**
 * One open transaction. After a failure it cannot be committed, even when the caller caught the error,
 * because SQLite may have rolled back the earlier statements.
 */
class SqliteHistoryTransaction implements HistoryTransaction {
  readonly #statements: Statements;
  readonly #path: string;
  readonly #changed = new Map<number, Ticker>();
  readonly #rest = new RestHash();
  readonly #sourceIds: SourceIds;
  #state: 'open' | 'failed' | 'ended' = 'open';
  #failure: unknown;

  constructor(statements: Statements, path: string) {
    this.#statements = statements;
    this.#path = path;
    this.#sourceIds = new SourceIds(statements.sources);
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
      if (this.#putAll(id, closes)) this.#changed.set(id, ticker);
    });
  }

  /** Marks the changed instruments with a new revision, for readers. It is the last step before the commit. */
  finish(): void {
    this.#attempt(() => {
      if (this.#changed.size === 0) return;
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

  /** Returns whether a close has changed. */
  #putAll(id: number, closes: readonly DailyClose[]): boolean {
    const { put } = this.#statements;
    const stored = this.#storedOf(id, closes);
    const changes = new Map<number, CloseSeal>();
    for (const one of closes) {
      const { day, close, volume, open, high, low } = one;
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
        this.#sourceIds.of(one.source),
      );
      if (Number(result.changes) === 0) continue;
      const block = blockOf(day);
      const change = changes.get(block) ?? emptySeal();
      changes.set(block, change);
      const before = stored.get(day);
      // If the row that is replaced was damaged, the seal stays different from the rows.
      if (before !== undefined) removeClose(change, this.#rest, before);
      addClose(change, this.#rest, one);
      stored.set(day, one);
    }
    for (const [block, { rows, prices, rest }] of changes) {
      this.#statements.seal.run(id, block, rows, prices, rest);
    }
    return changes.size > 0;
  }

  /** The stored closes that these may replace, by day. */
  #storedOf(id: number, closes: readonly DailyClose[]): Map<number, SealedClose> {
    let [from, to] = [Infinity, -Infinity];
    for (const { day } of closes) [from, to] = [Math.min(from, day), Math.max(to, day)];
    const { rows } = this.#statements;
    const found =
      closes.length > singleReadsMax
        ? rows.all(id, from, to)
        : closes.flatMap(({ day }) => rows.all(id, day, day));
    return new Map(
      (found as unknown as readonly CloseRow[]).map((row) => [row[0], fromCloseRow(row)]),
    );
  }
}
