import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import { mergeBars } from '../../encoding/merge-bars.ts';
import { unpackBars } from '../../encoding/packed-bars.ts';
import { barSql } from './bar-sql.ts';
import { LoggedBars, numberOf } from './logged-bars.ts';

/** Reads the bars of an instrument from both places, packed and not packed, through either connection. */
export class StoredBars {
  readonly #path: string;
  readonly #logged: LoggedBars;
  readonly #packed: StatementSync;
  readonly #latestPacked: StatementSync;

  constructor(database: DatabaseSync, path: string) {
    this.#path = path;
    this.#logged = new LoggedBars(database);
    this.#packed = database.prepare(barSql.packed);
    this.#latestPacked = database.prepare(barSql.latestPacked);
  }

  /** The bars on the days of a range, ascending, from a minute on. */
  of(id: number, from: number, to: number, sinceMinute: number): readonly Bar[] {
    const logged = this.#loggedDays(from, to).flatMap((day) =>
      this.#logged.barsOf(id, day, sinceMinute),
    );
    const packed = this.packed(id, from, to).filter(({ minute }) => minute >= sinceMinute);
    return mergeBars(packed, logged);
  }

  /** The packed bars on the days of a range. */
  packed(id: number, from: number, to: number): readonly Bar[] {
    const rows = this.#packed.all(id, from, to) as unknown as readonly [EpochDay, Uint8Array][];
    return rows.flatMap(([day, packed]) => unpackBars(this.#path, day, packed));
  }

  /** The latest day on which an instrument has a bar. */
  latestDay(id: number): EpochDay | undefined {
    const logged = this.#loggedDays(-Infinity, Infinity).findLast(
      (day) => this.#logged.barsOf(id, day).length > 0,
    );
    const packed = numberOf(this.#latestPacked.get(id));
    if (logged === undefined || packed === undefined) return logged ?? (packed as EpochDay);
    return Math.max(logged, packed) as EpochDay;
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
}
