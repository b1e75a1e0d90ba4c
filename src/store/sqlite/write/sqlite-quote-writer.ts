import {
  areInConflict,
  conflictOf,
  type CloseConflict,
} from '../../../domain/history/offered-close.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { Bar, TickerBar } from '../../../domain/quotes/minute-bar.ts';
import type { HistoryWriter } from '../../contract/history-store.ts';
import { instantOf, type QuoteCommit } from '../../contract/quote-store.ts';
import { unpackBars } from '../../encoding/packed-bars.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';
import type { BarTidying } from '../../tables/bars.ts';
import { hashText, sealOfQuote } from '../seals/row-hash.ts';
import type { SqliteSeals } from '../seals/sqlite-seals.ts';
import type { SqliteConnection } from '../file/connection.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

const addBarText = `
  INSERT INTO minute_bars (day, minute, instrument_id, open, high, low, last, volume)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`;

/** A commit whose quotes are encoded as rows already, possibly by another thread. */
export type RowCommit = Omit<QuoteCommit, 'quotes'> & { readonly quotes: readonly QuoteRow[] };

/**
 * Writes the latest quotes, one row each, together with the closes of the sessions they replaced and the bars
 * they finished.
 */
export class SqliteQuoteWriter {
  readonly #writer: SqliteWriter;
  readonly #connection: SqliteConnection;
  readonly #seals: SqliteSeals;
  readonly #history: HistoryWriter;
  readonly #tidying: BarTidying;
  /** Instruments that have a quote. */
  readonly #known = new Set<Ticker>();

  constructor(own: {
    readonly writer: SqliteWriter;
    readonly history: HistoryWriter;
    readonly tidying: BarTidying;
  }) {
    this.#writer = own.writer;
    this.#connection = own.writer.sql.connection;
    this.#seals = own.writer.sql.seals;
    this.#history = own.history;
    this.#tidying = own.tidying;
  }

  async commit(commit: RowCommit): Promise<readonly CloseConflict[]> {
    try {
      return await this.#commit(commit);
    } catch (error) {
      // The first quotes of the transaction are not stored.
      this.#known.clear();
      throw error;
    }
  }

  #commit(commit: RowCommit): Promise<readonly CloseConflict[]> {
    const { quotes, closes, bars = [] } = commit;
    // Most commits are between two ends of sessions, and have no closes.
    if (closes.length === 0) {
      return this.#writer.transaction(() => {
        this.#putLatest(quotes, bars);
        return [];
      });
    }
    const stamp = { origin: 'session', now: () => instantOf(commit) } as const;
    return this.#history.transaction(async (transaction) => {
      const conflicts: CloseConflict[] = [];
      for (const { ticker, close } of closes) {
        const [stored] = await transaction.read(ticker, { from: close.day, to: close.day });
        if (stored !== undefined && areInConflict(stored, close)) {
          conflicts.push(conflictOf(ticker, stored, close));
        }
        await transaction.put(ticker, [close]);
      }
      this.#putLatest(quotes, bars);
      return conflicts;
    }, stamp);
  }

  #putLatest(quotes: readonly QuoteRow[], bars: readonly TickerBar[]): void {
    this.#connection.run(() => {
      this.#putQuotes(quotes);
      for (const { ticker, bar } of bars) this.#putBar(this.#seals.idOfAny(ticker), bar);
    });
    this.#tidying.added(bars);
  }

  #putQuotes(quotes: readonly QuoteRow[]): void {
    const put = this.#connection.statement(
      `INSERT INTO quotes (ticker, version, state, seal) VALUES ($1, $2, $3, $4)
      ON CONFLICT (ticker) DO UPDATE SET version = excluded.version, state = excluded.state,
        seal = excluded.seal`,
      4,
    );
    const added: number[] = [];
    for (const row of quotes) {
      const [ticker] = row;
      if (!this.#known.has(ticker)) {
        const found = this.#connection.all('SELECT 1 FROM quotes WHERE ticker = $1', [ticker]);
        if (found.length === 0) added.push(hashText(ticker));
        this.#known.add(ticker);
      }
      put.run(...row, sealOfQuote(row));
    }
    this.#seals.changeTable('quotes', { added });
  }

  #putBar(id: number, bar: Bar): void {
    const { day, minute, open, high, low, last, volume } = bar;
    const added = this.#connection
      .statement(addBarText, 8)
      .run(day, minute, id, open, high, low, last, volume);
    if (Number(added.changes) > 0) {
      return this.#seals.barSeals.put(id, { bar, replaced: this.#packedBar(id, bar) });
    }
    const [replaced] = this.#connection.all<Values>(
      `SELECT open, high, low, last, volume FROM minute_bars
      WHERE day = $1 AND minute = $2 AND instrument_id = $3`,
      [day, minute, id],
    );
    this.#connection.all(
      `UPDATE minute_bars SET open = $1, high = $2, low = $3, last = $4, volume = $5
      WHERE day = $6 AND minute = $7 AND instrument_id = $8`,
      [open, high, low, last, volume, day, minute, id],
    );
    this.#seals.barSeals.put(id, { bar, replaced: replaced && withValues(bar, replaced) });
  }

  #packedBar(id: number, { day, minute }: Bar): Bar | undefined {
    const [packed] = this.#connection.all<readonly [Uint8Array]>(
      'SELECT bars FROM session_bars WHERE instrument_id = $1 AND day = $2',
      [id, day],
    );
    if (packed === undefined) return undefined;
    return unpackBars(this.#connection.where, day, packed[0]).find((one) => one.minute === minute);
  }
}

type Values = readonly [
  open: number,
  high: number,
  low: number,
  last: number,
  volume: number | null,
];

function withValues(bar: Bar, [open, high, low, last, volume]: Values): Bar {
  return { ...bar, open, high, low, last, volume };
}
