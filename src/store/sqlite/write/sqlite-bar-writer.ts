import type { StatementSync } from 'node:sqlite';

import type { TickerBar } from '../../../domain/minute-bar.ts';
import type { TidyOptions } from '../../bar-store.ts';
import { BarTidying } from './bar-tidying.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { BarWriter } from './write-side.ts';

/** Writes bars, and packs them when their day is over. */
export class SqliteBarWriter implements BarWriter {
  readonly #writer: SqliteWriter;
  readonly #path: string;
  readonly #put: StatementSync;
  readonly #addInstrument: StatementSync;
  readonly #tidying: BarTidying;

  constructor(writer: SqliteWriter, path: string) {
    const { database } = writer;
    this.#writer = writer;
    this.#path = path;
    this.#put = database.prepare(`
      INSERT INTO minute_bars (day, minute, instrument_id, open, high, low, last, volume)
      SELECT ?, ?, id, ?, ?, ?, ?, ? FROM instruments WHERE ticker = ?
      ON CONFLICT (day, minute, instrument_id) DO UPDATE SET
        open = excluded.open, high = excluded.high, low = excluded.low, last = excluded.last,
        volume = excluded.volume`);
    this.#addInstrument = database.prepare('INSERT INTO instruments (ticker) VALUES (?)');
    this.#tidying = new BarTidying(database, path);
  }

  /** Adds bars within the transaction of the caller. */
  putWithin(bars: readonly TickerBar[]): void {
    for (const one of bars) {
      if (this.#putOne(one) > 0) continue;
      this.#addInstrument.run(one.ticker);
      this.#putOne(one);
    }
    this.#tidying.added(bars);
  }

  async tidyBars(options: TidyOptions): Promise<boolean> {
    try {
      return await this.#writer.transaction(() =>
        withFaults(this.#path, () => this.#tidying.step(options)),
      );
    } catch (error) {
      this.#tidying.beginAgain();
      throw error;
    }
  }

  #putOne({ ticker, bar }: TickerBar): number {
    const { day, minute, open, high, low, last, volume } = bar;
    return Number(this.#put.run(day, minute, open, high, low, last, volume, ticker).changes);
  }
}
