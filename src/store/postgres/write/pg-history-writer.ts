import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { fromCloseRow, type CloseRow, requireFinite } from '../../encoding/close-row.ts';
import type { CloseVersion } from '../../../domain/history/versions.ts';
import type {
  ChangeStamp,
  DayRange,
  HistoryTransaction,
  HistoryWriter,
} from '../../contract/history-store.ts';
import { textArray } from '../session/binary-arrays.ts';
import { toPgFault } from '../session/pg-fault.ts';
import type { Session } from '../session/session.ts';
import type { Transactions } from '../connection/link.ts';
import { lockClass } from '../schema/create-schema.ts';
import { addNames, mergeCloses, StagedCloses, type SeenClose } from './staged-closes.ts';
import { CloseRestore, raiseRestored } from './restore-closes.ts';

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
export class PgHistoryWriter implements HistoryWriter {
  readonly #transactions: Transactions;
  readonly #place: { readonly schema: string; readonly where: string; readonly channel: string };

  constructor(
    transactions: Transactions,
    place: { readonly schema: string; readonly where: string; readonly channel: string },
  ) {
    this.#transactions = transactions;
    this.#place = place;
  }

  transaction<T>(
    work: (transaction: HistoryTransaction) => Promise<T>,
    stamp: ChangeStamp,
  ): Promise<T> {
    return this.#transactions.run(async (session, last) => {
      const { schema, where, channel } = this.#place;
      const lock = `SELECT pg_advisory_xact_lock(${lockClass + 1}, hashtext($1))`;
      await session.query({ text: lock }, [schema]);
      const transaction = new PgHistoryTransaction(session, where);
      await transaction.begin();
      try {
        const result = await work(transaction);
        if (await transaction.finish()) {
          for (const statement of addNames) last(statement, []);
          last(mergeCloses, [channel, stamp.now(), stamp.origin]);
        }
        const { restored } = transaction;
        if (restored.length > 0) last(raiseRestored, [channel, textArray(restored)]);
        return result;
      } finally {
        transaction.end();
      }
    });
  }
}

/** One open transaction. After a failure it cannot be committed, even when the caller caught the error. */
class PgHistoryTransaction implements HistoryTransaction {
  readonly #session: Session;
  readonly #where: string;
  readonly #staged: StagedCloses;
  /** What was last read, to notice that another process changes it before it is replaced. */
  #read: { readonly ticker: Ticker; readonly range: DayRange; readonly closes: Days } | undefined;
  #state: 'open' | 'failed' | 'ended' = 'open';
  #failure: unknown;
  #isChanged = false;
  readonly #restore: CloseRestore;

  constructor(session: Session, where: string) {
    this.#session = session;
    this.#where = where;
    this.#staged = new StagedCloses(session);
    this.#restore = new CloseRestore(session);
  }

  begin(): Promise<void> {
    return this.#staged.begin();
  }

  read(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]> {
    return this.#attempt(async () => {
      if (this.#staged.isWaiting(ticker)) await this.#staged.flush();
      const rows = await this.#session.query<CloseRow>({ name: 'read-closes', text: readText }, [
        ticker,
        range.from,
        range.to,
      ]);
      const closes = rows.map((row) => fromCloseRow(row));
      this.#read = { ticker, range, closes: new Map(closes.map((one) => [one.day, one])) };
      return closes;
    });
  }

  put(ticker: Ticker, closes: readonly DailyClose[]): Promise<void> {
    return this.#attempt(async () => {
      for (const close of closes) {
        requireFinite(close);
        this.#staged.put(ticker, close, this.#seen(ticker, close.day));
        this.#isChanged = true;
      }
      if (this.#staged.isFull) await this.#staged.flush();
    });
  }

  restore(ticker: Ticker, versions: readonly CloseVersion[]): Promise<void> {
    return this.#attempt(() => this.#restore.restore(ticker, versions));
  }

  /** The instruments that were restored. */
  get restored(): readonly Ticker[] {
    return this.#restore.tickers;
  }

  /** Prepares what was put for {@link mergeCloses}. Returns whether there is anything. */
  finish(): Promise<boolean> {
    return this.#attempt(async () => {
      if (!this.#isChanged) return false;
      await this.#staged.flush();
      return true;
    });
  }

  /** Ends the transaction. Its methods reject from then on. */
  end(): void {
    this.#state = 'ended';
  }

  #seen(ticker: Ticker, day: number): SeenClose {
    const read = this.#read;
    if (read?.ticker !== ticker || day < read.range.from || day > read.range.to) return 'unread';
    return read.closes.get(day) ?? 'none';
  }

  async #attempt<T>(run: () => Promise<T>): Promise<T> {
    if (this.#state === 'ended') throw new Error('the transaction has ended');
    if (this.#state === 'failed') throw this.#failure;
    try {
      return await run();
    } catch (error) {
      this.#state = 'failed';
      this.#failure = toPgFault(error, this.#where);
      throw this.#failure;
    }
  }
}

type Days = ReadonlyMap<number, DailyClose>;
