import type { StatementSync } from 'node:sqlite';

import type { Bar, TickerBar } from '../../../domain/quotes/minute-bar.ts';
import type { TidyOptions } from '../../contract/bar-store.ts';
import { BarTidying } from '../../tables/bar-tidying.ts';
import { SqliteBarSteps } from './sqlite-bar-steps.ts';
import { toStoreFault } from '../file/sqlite-fault.ts';
import { StoredBars } from '../rows/stored-bars.ts';
import { BarSealWriter } from '../seals/bar-seals.ts';
import { InstrumentIds } from '../seals/instrument-ids.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { BarWriter } from './write-side.ts';

/** Writes bars, and packs them when their day is over. */
export class SqliteBarWriter implements BarWriter {
  readonly #writer: SqliteWriter;
  readonly #path: string;
  readonly #add: StatementSync;
  readonly #replace: StatementSync;
  readonly #stored: StoredBars;
  readonly #instruments: InstrumentIds;
  readonly #seals: BarSealWriter;
  readonly #tidying: BarTidying;

  constructor(writer: SqliteWriter, path: string) {
    const { database } = writer;
    this.#writer = writer;
    this.#path = path;
    this.#add = database.prepare(`
      INSERT INTO minute_bars (day, minute, instrument_id, open, high, low, last, volume)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
    this.#replace = database.prepare(`
      UPDATE minute_bars SET open = ?, high = ?, low = ?, last = ?, volume = ?
      WHERE day = ? AND minute = ? AND instrument_id = ?`);
    this.#stored = new StoredBars(database, path);
    this.#instruments = new InstrumentIds(database, path);
    this.#seals = new BarSealWriter(database, path);
    this.#tidying = new BarTidying(new SqliteBarSteps(database, path));
  }

  /** Adds bars within the transaction of the caller. */
  putWithin(bars: readonly TickerBar[]): void {
    for (const { ticker, bar } of bars) this.#putOne(this.#instruments.of(ticker), bar);
    this.#tidying.added(bars);
  }

  async tidyBars(options: TidyOptions): Promise<boolean> {
    try {
      return await this.#writer.transaction(() => this.#tidying.step(options));
    } catch (error) {
      this.#tidying.beginAgain();
      throw toStoreFault(error, this.#path);
    }
  }

  #putOne(id: number, bar: Bar): void {
    const { day, minute, open, high, low, last, volume } = bar;
    const ofMinute = (bars: readonly Bar[]): Bar | undefined =>
      bars.find((one) => one.minute === minute);
    const isNew = this.#add.run(day, minute, id, open, high, low, last, volume).changes > 0;
    let replaced: Bar | undefined;
    if (isNew) replaced = ofMinute(this.#stored.packed(id, day, day));
    else {
      replaced = ofMinute(this.#stored.of(id, day, day, minute));
      this.#replace.run(open, high, low, last, volume, day, minute, id);
    }
    this.#seals.put(id, { bar, replaced });
  }
}
