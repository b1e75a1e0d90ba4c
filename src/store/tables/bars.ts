import { firstEpochDay, lastEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Bar, TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { BarReader, BarStore, TidyOptions } from '../contract/bar-store.ts';
import { mergeBars, packBars, unpackBars } from '../encoding/packed-bars.ts';
import type { Columns, Reader, HousekeepingStep, Writer } from '../sql/sql.ts';

/** Number of instruments whose bars are packed in one step: 5 to 15 ms. */
const packedPerStep = 8;

/** Number of instruments whose sessions are counted in one step. */
const trimmedPerStep = 200;

/** Number of rows that are removed in one step, and those of the minute of the last one: about 5 ms. */
const removedPerStep = 2_000;

/** A minute and a day before all others. SQL has no integer for -Infinity. */
const firstMinute = -(2 ** 31);

/** A minute and an id after all others. */
const last = 2 ** 31 - 1;

/** The instruments after `$1`. */
const instrumentsAfter = 'SELECT id, ticker FROM instruments WHERE id > $1 ORDER BY id LIMIT $2';

/** Every statement over bars that both engines share. Each one searches an index and never scans a table. */
export const barSql = {
  latestPacked: `
    SELECT max(day) FROM session_bars
    WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = $1)`,

  oldestDay: `
    SELECT oldest.day, (SELECT max(minute) FROM minute_bars WHERE minute_bars.day = oldest.day)
    FROM (SELECT min(day) AS day FROM minute_bars WHERE day > ${firstMinute}) AS oldest WHERE oldest.day IS NOT NULL`,

  pack: (given: string) => `
    INSERT INTO session_bars (instrument_id, day, bars) SELECT id, day, bars FROM ${given} WHERE true
    ON CONFLICT (instrument_id, day) DO UPDATE SET bars = excluded.bars
    WHERE session_bars.bars <> excluded.bars
    RETURNING instrument_id, day`,

  // The seals of a session leave with it. They cover the bars of its day in the log too, so these leave before.
  trim: (sessionsMax: number) => (given: string) =>
    `
    DELETE FROM session_bars WHERE (instrument_id, day) IN (
      SELECT instrument_id, day FROM ${given} JOIN session_bars AS held ON instrument_id = given.id
      WHERE day <= (
        SELECT day FROM session_bars AS newer WHERE newer.instrument_id = given.id
        ORDER BY day DESC LIMIT 1 OFFSET ${sessionsMax})
      AND NOT EXISTS (SELECT 1 FROM minute_bars WHERE minute_bars.day = held.day))
    RETURNING instrument_id, day`,

  remove: (given: string) => `
    DELETE FROM minute_bars WHERE day = (SELECT day FROM ${given}) AND minute <= coalesce((
      SELECT minute FROM minute_bars AS first WHERE first.day = (SELECT day FROM ${given})
      ORDER BY minute LIMIT 1 OFFSET ${removedPerStep}), ${last})
    RETURNING instrument_id, day`,

  removePacked: (given: string) => `
    DELETE FROM session_bars WHERE instrument_id <= coalesce((
      SELECT instrument_id FROM session_bars ORDER BY instrument_id LIMIT 1 OFFSET ${removedPerStep / 4}), ${last})
      AND EXISTS (SELECT 1 FROM ${given})
    RETURNING instrument_id, day`,
} as const;

/** A row of a bar that is not packed, or of the packed bars of a day. */
export type BarRow = readonly [
  day: EpochDay,
  minute: number,
  open: number,
  high: number,
  low: number,
  last: number,
  volume: number | null,
  packed: Uint8Array | null,
];

/**
 * Reads committed bars.
 *
 * @param text the query of an engine for the bars of the instrument `$1` on the days from `$2` to `$3`: a row for each one
 *   that is not packed and not before the minute `$4`, and one with `packed` for each day that is. The engines differ in
 *   how they search the index of the log for each minute.
 */
export function barReader(sql: Reader, text: string): BarReader {
  const readBars: BarReader['readBars'] = async (ticker, { from, to, sinceMinute = -Infinity }) => {
    const { minutesPerBlock } = sql;
    const first = Math.max(
      firstMinute,
      Math.floor(sinceMinute / minutesPerBlock) * minutesPerBlock,
    );
    let bars: readonly Bar[] | undefined;
    const rows = await sql.all<BarRow>(text, [ticker, from, to, first], (found, seals) => {
      bars = barsIn(sql.where, found, first);
      seals.bars(ticker, { from, to, sinceMinute: first }, bars);
    });
    bars ??= barsIn(sql.where, rows, first);
    return sinceMinute === first ? bars : bars.filter(({ minute }) => minute >= sinceMinute);
  };
  return {
    readBars,
    async latestBarDay(ticker) {
      const [row] = await sql.all<readonly [EpochDay | null]>(barSql.latestPacked, [ticker]);
      // What is found is only where the reading begins. So it need not be compared with a seal.
      for (const from of new Set([row?.[0] ?? firstEpochDay, firstEpochDay])) {
        const latest = (await readBars(ticker, { from, to: lastEpochDay })).at(-1);
        if (latest !== undefined) return latest.day;
      }
      return undefined;
    },
  };
}

/** The bars of the rows of an instrument, from a minute on, ascending. */
export function barsIn(
  where: string,
  rows: readonly BarRow[],
  sinceMinute: number,
): readonly Bar[] {
  const logged: Bar[] = [];
  const packed: Bar[] = [];
  for (const [day, minute, open, high, low, close, volume, bytes] of rows) {
    if (bytes === null) logged.push({ day, minute, open, high, low, last: close, volume });
    else packed.push(...unpackBars(where, day, bytes));
  }
  return mergeBars(
    packed.filter((bar) => bar.minute >= sinceMinute),
    logged,
  );
}

/** How far the packing of a day has come. */
interface Packing {
  readonly day: EpochDay;
  /** The last instrument that was packed; undefined when all were. */
  readonly doneUpTo: number | undefined;
}

/**
 * The housekeeping of the bars, in short steps.
 *
 * The oldest day of the log is packed once it is over: first the bars of each instrument, in order of their ids, then
 * the day is removed from the log. Packing adds to what is packed already. So it can begin again at any time: after a
 * restart, and when bars are added to the day meanwhile, which happens only after an interruption of the service.
 *
 * When nothing is to be packed, the oldest sessions of each instrument are deleted: once after a day was packed, and
 * whenever the setting of the number of sessions has changed.
 *
 * Each change is one statement, which a writer that has lost its claim cannot make.
 */
export class BarTidying implements Pick<BarStore, 'tidyBars'> {
  readonly #writer: Writer;
  readonly #text: string;
  #packing: Packing | undefined;
  #trimming: { readonly sessionsMax: number; readonly doneUpTo: number | undefined } | undefined;

  /** @param text as for {@link barReader}. */
  constructor(writer: Writer, text: string) {
    this.#writer = writer;
    this.#text = text;
  }

  /** Called when bars were added to the log. */
  added(bars: readonly TickerBar[]): void {
    const day = this.#packing?.day;
    if (day !== undefined && bars.some(({ bar }) => bar.day === day)) this.#packing = undefined;
  }

  /** Takes one step. Returns whether a further step has work to do. */
  async tidyBars(options: TidyOptions): Promise<boolean> {
    try {
      return await this.#writer.step((sql) => this.#step(sql, options));
    } catch (error) {
      // The failed step may have packed nothing, so the day is packed again, while the log still has its bars.
      this.#packing = undefined;
      this.#trimming = undefined;
      throw error;
    }
  }

  async #step(sql: HousekeepingStep, { idleSince, sessionsMax }: TidyOptions): Promise<boolean> {
    if (sessionsMax === 0) return removeAll(sql);
    this.#packing ??= await nextDay(sql, idleSince);
    const packing = this.#packing;
    if (packing === undefined) return this.#trimAll(sql, sessionsMax);
    const { day, doneUpTo } = packing;
    if (doneUpTo === undefined) {
      const removed = await sql.change({ day: 'integer' }, [[day]], barSql.remove);
      if (removed < removedPerStep) [this.#packing, this.#trimming] = [undefined, undefined];
      return true;
    }
    const reached = await pack(sql, { text: this.#text, day, after: doneUpTo });
    // Bars that were added meanwhile let the packing begin again.
    if (this.#packing === packing) this.#packing = { day, doneUpTo: reached };
    return true;
  }

  async #trimAll(sql: HousekeepingStep, sessionsMax: number): Promise<boolean> {
    if (this.#trimming?.sessionsMax !== sessionsMax) this.#trimming = { sessionsMax, doneUpTo: 0 };
    const { doneUpTo } = this.#trimming;
    if (doneUpTo === undefined) return false;
    const ids = await sql.all<readonly [number]>(instrumentsAfter, [doneUpTo, trimmedPerStep]);
    const rows = ids.map(([id]) => [id]);
    await sql.change({ id: 'integer' }, rows, barSql.trim(sessionsMax), 'returned');
    const reached = ids.at(-1)?.[0];
    this.#trimming = { sessionsMax, doneUpTo: reached };
    return reached !== undefined;
  }
}

/** The oldest day of the log, and the latest minute of it that has a bar. */
async function oldestDay(sql: HousekeepingStep): Promise<readonly [EpochDay, number] | undefined> {
  const [oldest] = await sql.all<readonly [EpochDay, number]>(barSql.oldestDay);
  return oldest;
}

/** The oldest day of the log, if it is over. */
async function nextDay(sql: HousekeepingStep, idleSince: number): Promise<Packing | undefined> {
  const [day, lastMinute = 0] = (await oldestDay(sql)) ?? [];
  return day === undefined || lastMinute >= idleSince ? undefined : { day, doneUpTo: 0 };
}

/** Packs the bars of the next instruments. Returns the last one, or undefined when none is left. */
async function pack(
  sql: HousekeepingStep,
  own: {
    readonly text: string;
    readonly day: EpochDay;
    readonly after: number;
  },
): Promise<number | undefined> {
  const { day } = own;
  const chosen = await sql.all<readonly [number, Ticker]>(instrumentsAfter, [
    own.after,
    packedPerStep,
  ]);
  const packed = await Promise.all(
    chosen.map(async ([id, ticker]) => {
      // They are packed as they are, so they need not be compared with their seals.
      const rows = await sql.all<BarRow>(own.text, [ticker, day, day, firstMinute]);
      const hasLogged = rows.some((row) => row[7] === null);
      return hasLogged ? [[id, day, packBars(barsIn(sql.where, rows, firstMinute))]] : [];
    }),
  );
  const columns: Columns = { id: 'integer', day: 'integer', bars: 'bytes' };
  await sql.change(columns, packed.flat(), barSql.pack);
  return chosen.at(-1)?.[0];
}

/** Removes bars, packed or not. Returns whether there may be more. */
async function removeAll(sql: HousekeepingStep): Promise<boolean> {
  const [day] = (await oldestDay(sql)) ?? [];
  const text = day === undefined ? barSql.removePacked : barSql.remove;
  return (await sql.change({ day: 'integer' }, [[day ?? 0]], text, 'all')) > 0;
}
