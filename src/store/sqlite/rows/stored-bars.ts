import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import { mergeBars, unpackBars } from '../../encoding/packed-bars.ts';

/**
 * Every statement that reads bars. Each one searches an index and never scans a table. A test checks
 * SQLite's query plan of each statement.
 */
export const barSql = {
  instrumentsAfter: `SELECT id FROM instruments WHERE id > ? ORDER BY id LIMIT ?`,

  firstDay: `SELECT day FROM minute_bars WHERE day >= ? ORDER BY day LIMIT 1`,

  firstMinute: `SELECT minute FROM minute_bars WHERE day = ? ORDER BY minute LIMIT 1`,

  lastMinute: `SELECT minute FROM minute_bars WHERE day = ? ORDER BY minute DESC LIMIT 1`,

  // The key begins with the minute, so each minute of the range is searched by itself.
  logged: `
    WITH RECURSIVE minutes (minute) AS (
      SELECT ?1 WHERE ?1 <= ?2 UNION ALL SELECT minute + 1 FROM minutes WHERE minute < ?2
    )
    SELECT minute_bars.minute, open, high, low, last, volume
    FROM minutes CROSS JOIN minute_bars
      ON minute_bars.day = ?3 AND minute_bars.minute = minutes.minute AND instrument_id = ?4`,

  packed: `
    SELECT day, bars FROM session_bars WHERE instrument_id = ? AND day BETWEEN ? AND ?
    ORDER BY day`,

  latestPacked: `SELECT max(day) FROM session_bars WHERE instrument_id = ?`,

  firstSealedDay: `SELECT day FROM bar_seals WHERE day >= ? ORDER BY day LIMIT 1`,

  firstBlock: `SELECT block FROM bar_seals WHERE day = ? ORDER BY block LIMIT 1`,

  lastBlock: `SELECT block FROM bar_seals WHERE day = ? ORDER BY block DESC LIMIT 1`,

  // As with the bars, each block of the range is searched by itself.
  seals: `
    WITH RECURSIVE blocks (block) AS (
      SELECT ?1 WHERE ?1 <= ?2 UNION ALL SELECT block + 1 FROM blocks WHERE block < ?2
    )
    SELECT bar_seals.block, rows, hash
    FROM blocks CROSS JOIN bar_seals
      ON bar_seals.day = ?3 AND bar_seals.block = blocks.block AND instrument_id = ?4`,

  removeSeals: `
    WITH RECURSIVE blocks (block) AS (
      SELECT ?1 UNION ALL SELECT block + 1 FROM blocks WHERE block < ?2
    )
    DELETE FROM bar_seals
    WHERE day = ?3 AND block IN (SELECT block FROM blocks) AND instrument_id = ?4`,
} as const;

/** A row of {@link barSql.logged}. */
type LoggedRow = readonly [
  minute: number,
  open: number,
  high: number,
  low: number,
  last: number,
  volume: number | null,
];

/** Reads the bars that are not packed yet, through either connection. */
export class LoggedBars {
  readonly #firstDay: StatementSync;
  readonly #firstMinute: StatementSync;
  readonly #lastMinute: StatementSync;
  readonly #logged: StatementSync;

  constructor(database: DatabaseSync) {
    this.#firstDay = database.prepare(barSql.firstDay);
    this.#firstMinute = database.prepare(barSql.firstMinute);
    this.#lastMinute = database.prepare(barSql.lastMinute);
    this.#logged = database.prepare(barSql.logged);
  }

  /** The first day from a day on that has bars. */
  firstDay(from: number): EpochDay | undefined {
    return numberOf(this.#firstDay.get(from)) as EpochDay | undefined;
  }

  /** The latest minute of a day that has bars. */
  lastMinute(day: EpochDay): number | undefined {
    return numberOf(this.#lastMinute.get(day));
  }

  /** The bars of an instrument on a day, ascending, from a minute on. */
  barsOf(id: number, day: EpochDay, sinceMinute = -Infinity): readonly Bar[] {
    const first = numberOf(this.#firstMinute.get(day));
    const last = this.lastMinute(day);
    if (first === undefined || last === undefined) return [];
    const rows = this.#logged.all(Math.max(first, sinceMinute), last, day, id);
    return (rows as unknown as readonly LoggedRow[]).map(
      ([minute, open, high, low, close, volume]) => ({
        day,
        minute,
        open,
        high,
        low,
        last: close,
        volume,
      }),
    );
  }
}

/** The number in the only column of a row. */
export function numberOf(row: unknown): number | undefined {
  const [value] = Array.isArray(row) ? row : [];
  return typeof value === 'number' ? value : undefined;
}

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
