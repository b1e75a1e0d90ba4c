import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Bar } from '../../../domain/minute-bar.ts';
import type { EpochDay } from '../../../domain/plain-date.ts';
import type { Ticker } from '../../../domain/ticker.ts';
import type { BarReader } from '../../bar-store.ts';
import { barSql } from '../rows/bar-sql.ts';
import { mergeBars } from '../../encoding/merge-bars.ts';
import { LoggedBars, numberOf } from '../rows/logged-bars.ts';
import { unpackBars } from '../../encoding/packed-bars.ts';
import { withFaults } from '../file/sqlite-fault.ts';

/** Reads committed bars. */
export class SqliteBarReader implements BarReader {
  readonly #path: string;
  readonly #logged: LoggedBars;
  readonly #instrument: StatementSync;
  readonly #packed: StatementSync;
  readonly #latestPacked: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#logged = new LoggedBars(database);
    this.#instrument = database.prepare(barSql.instrument);
    this.#packed = database.prepare(barSql.packed);
    this.#latestPacked = database.prepare(barSql.latestPacked);
  }

  async readBars(
    ticker: Ticker,
    { from, to, sinceMinute = -Infinity }: Parameters<BarReader['readBars']>[1],
  ): Promise<readonly Bar[]> {
    return withFaults(this.#path, () => {
      const id = numberOf(this.#instrument.get(ticker));
      if (id === undefined) return [];
      // Bars are packed before they are removed from the log. So a bar that is packed between the two
      // reads is in one of them at least.
      const logged = this.#loggedOf(id, from, to, sinceMinute);
      const packed = this.#packedOf(id, from, to).filter(({ minute }) => minute >= sinceMinute);
      return mergeBars(packed, logged);
    });
  }

  async latestBarDay(ticker: Ticker): Promise<EpochDay | undefined> {
    return withFaults(this.#path, () => {
      const id = numberOf(this.#instrument.get(ticker));
      if (id === undefined) return undefined;
      const logged = this.#loggedDays(-Infinity, Infinity).findLast(
        (day) => this.#logged.barsOf(id, day).length > 0,
      );
      const packed = numberOf(this.#latestPacked.get(id));
      if (logged === undefined || packed === undefined) return logged ?? (packed as EpochDay);
      return Math.max(logged, packed) as EpochDay;
    });
  }

  #loggedOf(id: number, from: number, to: number, sinceMinute: number): readonly Bar[] {
    return this.#loggedDays(from, to).flatMap((day) => this.#logged.barsOf(id, day, sinceMinute));
  }

  #loggedDays(from: number, to: number): readonly EpochDay[] {
    const days: EpochDay[] = [];
    let day = this.#logged.firstDay(from);
    while (day !== undefined && day <= to) {
      days.push(day);
      day = this.#logged.firstDay(day + 1);
    }
    return days;
  }

  #packedOf(id: number, from: number, to: number): readonly Bar[] {
    const rows = this.#packed.all(id, from, to) as unknown as readonly [EpochDay, Uint8Array][];
    return rows.flatMap(([day, packed]) => unpackBars(this.#path, day, packed));
  }
}
