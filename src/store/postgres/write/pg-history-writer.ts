import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { CloseVersion } from '../../../domain/history/versions.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { DayRange, HistoryTransaction, HistoryWriter } from '../../contract/history-store.ts';
import { fromCloseRow, toCloseRow, type CloseRow } from '../../encoding/close-row.ts';
import { runHistory } from '../../tables/closes.ts';
import type { PgTransaction, PgWriter } from '../sql/pg-driver.ts';
import { lockClass } from '../schema/create-schema.ts';
import { textArray } from '../session/binary-arrays.ts';
import { toPgFault } from '../session/pg-fault.ts';
import { CloseRestore, raiseRestored } from './restore-closes.ts';
import { addNames, mergeCloses, StagedCloses, type SeenClose } from './staged-closes.ts';

const columns = 'day, close, volume, open, high, low';

/** The staged closes of an instrument, and those that are stored on other days. */
const readText = `
  SELECT ${columns}, source FROM staged_closes WHERE ticker = $1 AND day BETWEEN $2 AND $3
  UNION ALL
  SELECT ${columns}, sources.name
  FROM closes LEFT JOIN sources ON sources.id = source_id
  WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = $1) AND day BETWEEN $2 AND $3
    AND NOT EXISTS (SELECT FROM staged_closes AS s WHERE s.ticker = $1 AND s.day = closes.day)
  ORDER BY day`;

/**
 * Writes daily closes. The transactions of all processes run one after another: each holds an advisory lock.
 * The writer's commits of sessions need no such lock, so an import does not delay them.
 */
export function pgHistoryWriter(
  writer: PgWriter,
  { schema, channel }: { readonly schema: string; readonly channel: string },
): HistoryWriter {
  return {
    transaction: (work, stamp) =>
      writer.transaction(async (sql) => {
        const lock = `SELECT 1 FROM pg_advisory_xact_lock(${lockClass + 1}, hashtext($1))`;
        await sql.all(lock, [schema]);
        const staged = new StagedCloses(sql);
        await staged.begin();
        const transaction = new PgHistoryTransaction(sql, staged);
        return runHistory(work, transaction, {
          toFault: (error) => toPgFault(error, writer.where),
          finish: async () => {
            if (transaction.isChanged) {
              await staged.flush();
              sql.last({ text: addNames('staged_closes', 'staged_closes') }, []);
              sql.last(mergeCloses, [channel, stamp.now(), stamp.origin]);
            }
            const { restored } = transaction;
            if (restored.size > 0) sql.last(raiseRestored, [channel, textArray([...restored])]);
          },
        });
      }),
  };
}

class PgHistoryTransaction implements HistoryTransaction {
  readonly #sql: PgTransaction;
  readonly #staged: StagedCloses;
  readonly #restore: CloseRestore;
  /** What was last read, to notice that another process changes it before it is replaced. */
  #read: { readonly ticker: Ticker; readonly range: DayRange; readonly closes: Days } | undefined;
  isChanged = false;

  constructor(sql: PgTransaction, staged: StagedCloses) {
    this.#sql = sql;
    this.#staged = staged;
    this.#restore = new CloseRestore(sql);
  }

  /** The instruments that were restored. */
  get restored(): ReadonlySet<Ticker> {
    return this.#restore.tickers;
  }

  async read(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]> {
    if (this.#staged.isWaiting(ticker)) await this.#staged.flush();
    const rows = await this.#sql.all<CloseRow>(readText, [ticker, range.from, range.to]);
    this.#read = { ticker, range, closes: new Map(rows.map((row) => [row[0], row])) };
    return rows.map((row) => fromCloseRow(row));
  }

  async put(ticker: Ticker, closes: readonly DailyClose[]): Promise<void> {
    for (const close of closes) {
      this.#staged.put(ticker, toCloseRow(close), this.#seen(ticker, close.day));
      this.isChanged = true;
    }
    if (this.#staged.isFull) await this.#staged.flush();
  }

  restore(ticker: Ticker, versions: readonly CloseVersion[]): Promise<void> {
    return this.#restore.restore(ticker, versions);
  }

  #seen(ticker: Ticker, day: number): SeenClose {
    const read = this.#read;
    if (read?.ticker !== ticker || day < read.range.from || day > read.range.to) return 'unread';
    return read.closes.get(day) ?? 'none';
  }
}

type Days = ReadonlyMap<number, CloseRow>;
