import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import { barSql } from './bar-sql.ts';

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
