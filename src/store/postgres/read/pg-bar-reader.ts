import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import type { BarReader } from '../../contract/bar-store.ts';
import { mergeBars, unpackBars } from '../../encoding/packed-bars.ts';
import type { Link } from '../connection/link.ts';
import type { Statement } from '../session/session.ts';

/** The days from $2 to $3 that have bars in the log. The key begins with the day, so each one is searched. */
const loggedDays = (from: string, to: string): string => `
  WITH RECURSIVE days (day) AS (
    SELECT min(day) FROM minute_bars WHERE day BETWEEN ${from} AND ${to}
    UNION ALL
    SELECT (SELECT min(day) FROM minute_bars WHERE minute_bars.day > days.day AND minute_bars.day <= ${to})
    FROM days WHERE days.day IS NOT NULL
  )`;

/**
 * The bar of an instrument in one minute. With the limit, PostgreSQL searches the index for each minute. Without
 * it, PostgreSQL could scan the table once, because it does not know the number of minutes.
 */
export const barInMinute = (day: string, instrument: string): string => `
  CROSS JOIN LATERAL (
    SELECT * FROM minute_bars
    WHERE minute_bars.day = ${day} AND minute_bars.minute = minutes.minute AND instrument_id = ${instrument}
    LIMIT 1
  ) AS bars`;

/** Every statement that reads bars. Each one searches an index and never scans a table. */
export const barSql = {
  // The key begins with the day and the minute, so each minute of the range is searched by itself.
  logged: {
    name: 'logged-bars',
    text: `
      ${loggedDays('$2::integer', '$3::integer')}
      SELECT bars.day, bars.minute, open, high, low, last, volume
      FROM instruments
      CROSS JOIN days
      CROSS JOIN LATERAL (
        SELECT (SELECT min(minute) FROM minute_bars WHERE minute_bars.day = days.day) AS first,
          (SELECT max(minute) FROM minute_bars WHERE minute_bars.day = days.day) AS last_one
      ) AS ends
      CROSS JOIN LATERAL generate_series(greatest(ends.first, $4::integer), ends.last_one) AS minutes (minute)
      ${barInMinute('days.day', 'instruments.id')}
      WHERE instruments.ticker = $1
      ORDER BY bars.day, bars.minute`,
  },

  packed: {
    name: 'packed-bars',
    text: `
      SELECT day, bars FROM session_bars
      WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = $1) AND day BETWEEN $2 AND $3
      ORDER BY day`,
  },

  latestDay: {
    name: 'latest-bar-day',
    text: `
      ${loggedDays('-2147483648', '2147483647')}
      SELECT greatest(
        (SELECT max(day) FROM session_bars WHERE instrument_id = instruments.id),
        (SELECT max(days.day) FROM days
          CROSS JOIN LATERAL (
            SELECT (SELECT min(minute) FROM minute_bars WHERE minute_bars.day = days.day) AS first,
              (SELECT max(minute) FROM minute_bars WHERE minute_bars.day = days.day) AS last_one
          ) AS ends
          WHERE EXISTS (
            SELECT FROM generate_series(ends.first, ends.last_one) AS minutes (minute)
            ${barInMinute('days.day', 'instruments.id')})))
      FROM instruments WHERE ticker = $1`,
  },
} as const satisfies Readonly<Record<string, Statement>>;

/** A row of {@link barSql.logged}. */
type LoggedRow = readonly [
  day: EpochDay,
  minute: number,
  open: number,
  high: number,
  low: number,
  last: number,
  volume: number | null,
];

/** Lower than every minute. PostgreSQL has no integer for -Infinity. */
const firstMinute = -(2 ** 31);

/** Reads committed bars. */
export class PgBarReader implements BarReader {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  async readBars(
    ticker: Ticker,
    { from, to, sinceMinute = -Infinity }: Parameters<BarReader['readBars']>[1],
  ): Promise<readonly Bar[]> {
    // Bars are packed before they are removed from the log, and the statements run in this order. So a bar
    // that is packed between the two reads is in one of them at least.
    const [logged, packed] = await Promise.all([
      this.#link.query<LoggedRow>(barSql.logged, [
        ticker,
        from,
        to,
        Math.max(sinceMinute, firstMinute),
      ]),
      this.#link.query<readonly [EpochDay, Buffer]>(barSql.packed, [ticker, from, to]),
    ]);
    const own = packed.flatMap(([day, bytes]) => unpackBars(this.#link.where, day, bytes));
    return mergeBars(
      own.filter(({ minute }) => minute >= sinceMinute),
      logged.map((row) => barOf(row)),
    );
  }

  async latestBarDay(ticker: Ticker): Promise<EpochDay | undefined> {
    const [[day] = [null]] = await this.#link.query<readonly [EpochDay | null]>(barSql.latestDay, [
      ticker,
    ]);
    return day ?? undefined;
  }
}

function barOf([day, minute, open, high, low, last, volume]: LoggedRow): Bar {
  return { day, minute, open, high, low, last, volume };
}
