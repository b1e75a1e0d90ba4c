import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { BarReader } from '../../contract/bar-store.ts';
import { mergeBars } from '../../encoding/merge-bars.ts';
import { unpackBars } from '../../encoding/packed-bars.ts';
import type { Link } from '../connection/link.ts';
import { barSql } from './bar-sql.ts';

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
