import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import { mergeBars, packBars, unpackBars } from '../../encoding/packed-bars.ts';
import type { BarSteps } from '../../tables/bar-tidying.ts';
import type { Fence } from '../claim/lease-sql.ts';
import type { Link } from '../connection/link.ts';
import { barInMinute } from '../read/pg-bar-reader.ts';
import { byteaArray, int4Array } from '../session/binary-arrays.ts';
import type { Statement, StatementValue } from '../session/session.ts';

/** Number of instruments whose bars are packed in one step: 10 to 30 ms. */
const packedPerStep = 16;

/** Number of instruments whose sessions are counted in one step. */
const trimmedPerStep = 500;

/** Number of rows that are removed in one step. */
const removedPerStep = 10_000;

/** The bars of one instrument and day: those in the log as arrays, and those that are packed. */
type LoggedDay = readonly [
  id: number,
  minutes: readonly number[] | null,
  opens: readonly number[],
  highs: readonly number[],
  lows: readonly number[],
  lasts: readonly number[],
  volumes: readonly (number | null)[],
  packed: Buffer | null,
];

/**
 * The steps of the housekeeping of bars. Each change is one fenced statement, so a writer that has lost its claim
 * changes nothing.
 */
export class PgBarSteps implements BarSteps {
  readonly #link: Link;
  readonly #fence: Fence;
  readonly #sql: TidySql;

  constructor(link: Link, fence: Fence) {
    this.#link = link;
    this.#fence = fence;
    this.#sql = tidySql(fence);
  }

  async oldestDay(): ReturnType<BarSteps['oldestDay']> {
    const [row] = await this.#link.query<readonly [EpochDay, number]>(this.#sql.nextDay);
    return row === undefined ? undefined : { day: row[0], lastMinute: row[1] };
  }

  async pack(day: EpochDay, after: number, sessionsMax: number): Promise<number | undefined> {
    const rows = await this.#link.query<LoggedDay>(this.#sql.loggedOfDay, [
      day,
      after,
      packedPerStep,
    ]);
    const logged = rows.filter(([, minutes]) => minutes !== null);
    if (logged.length > 0) {
      const ids = int4Array(logged.map(([id]) => id));
      const packed = byteaArray(logged.map((row) => this.#packedWith(day, row)));
      await this.#change('pack', [day, ids, packed]);
      await this.#change('trim', [sessionsMax, ids]);
    }
    return rows.at(-1)?.[0];
  }

  async trim(after: number, sessionsMax: number): Promise<number | undefined> {
    const rows = await this.#link.query<readonly [number]>(this.#sql.instrumentsAfter, [
      after,
      trimmedPerStep,
    ]);
    const ids = rows.map(([id]) => id);
    if (ids.length > 0) await this.#change('trim', [sessionsMax, int4Array(ids)]);
    return ids.at(-1);
  }

  async remove(day: EpochDay): Promise<boolean> {
    return (await this.#change('remove', [day, removedPerStep])) >= removedPerStep;
  }

  async removeAll(): Promise<boolean> {
    return (await this.#change('removeAll', [removedPerStep])) > 0;
  }

  #packedWith(
    day: EpochDay,
    [, minutes, opens, highs, lows, lasts, volumes, packed]: LoggedDay,
  ): Uint8Array {
    const held = packed === null ? [] : unpackBars(this.#link.where, day, packed);
    const logged = (minutes ?? []).map((minute, at) => ({
      day,
      minute,
      open: opens[at] ?? Number.NaN,
      high: highs[at] ?? Number.NaN,
      low: lows[at] ?? Number.NaN,
      last: lasts[at] ?? Number.NaN,
      volume: volumes[at] ?? null,
    }));
    return packBars(mergeBars(held, logged));
  }

  /** Runs a fenced statement. Returns the number of rows that it has changed. */
  async #change(
    name: 'pack' | 'trim' | 'remove' | 'removeAll',
    values: readonly StatementValue[],
  ): Promise<number> {
    const [[passes, changed] = [0, 0]] = await this.#link.send<readonly [number, number]>({
      statement: this.#sql[name],
      values: () => [...this.#fence.values(), ...values],
    });
    if (passes !== 1) throw this.#fence.refused();
    return changed;
  }
}

/** The statements of the housekeeping of bars. */
export type TidySql = ReturnType<typeof tidySql>;

/**
 * The statements of the housekeeping of bars. `$1` and `$2` of those that change something are of the fence.
 * They return whether they passed it, and the number of changed rows.
 */
export function tidySql(fence: Fence) {
  const fenced = (name: string, changes: string): Statement => ({
    name,
    text: `WITH fence AS (${fence.sql}), ${changes}
      SELECT (SELECT count(*) FROM fence), (SELECT count(*) FROM changed)`,
  });
  return {
    nextDay: {
      name: 'next-day',
      text: `
        SELECT first.day, (SELECT max(minute) FROM minute_bars WHERE minute_bars.day = first.day)
        FROM (SELECT min(day) AS day FROM minute_bars) AS first WHERE first.day IS NOT NULL`,
    },

    instrumentsAfter: {
      name: 'instruments-after',
      text: 'SELECT id FROM instruments WHERE id > $1 ORDER BY id LIMIT $2',
    },

    // The instruments after $2, each with its bars of the day $1.
    loggedOfDay: {
      name: 'logged-of-day',
      text: `
        WITH ends AS (
          SELECT min(minute) AS first, max(minute) AS last FROM minute_bars WHERE day = $1
        ), chosen AS (
          SELECT id FROM instruments WHERE id > $2 ORDER BY id LIMIT $3
        )
        SELECT chosen.id, logged.*,
          (SELECT bars FROM session_bars WHERE instrument_id = chosen.id AND day = $1)
        FROM chosen CROSS JOIN ends CROSS JOIN LATERAL (
          SELECT array_agg(found.minute), array_agg(found.open), array_agg(found.high),
            array_agg(found.low), array_agg(found.last), array_agg(found.volume)
          FROM (
            SELECT bars.* FROM generate_series(ends.first, ends.last) AS minutes (minute)
            ${barInMinute('$1', 'chosen.id')}
            ORDER BY bars.minute
          ) AS found
        ) AS logged
        ORDER BY chosen.id`,
    },

    // $3: day, $4: instruments, $5: bars.
    pack: fenced(
      'pack-bars',
      `changed AS (
        INSERT INTO session_bars AS held (instrument_id, day, bars)
        SELECT put.id, $3::integer, put.bars FROM fence, unnest($4::integer[], $5::bytea[]) AS put (id, bars)
        ON CONFLICT (instrument_id, day) DO UPDATE SET bars = excluded.bars WHERE held.bars <> excluded.bars
        RETURNING 1
      )`,
    ),

    // $3: number of sessions, $4: instruments. The oldest sessions leave.
    trim: fenced(
      'trim-sessions',
      `changed AS (
        DELETE FROM session_bars USING fence, (
          SELECT chosen.id, (
            SELECT day FROM session_bars WHERE instrument_id = chosen.id
            ORDER BY day DESC OFFSET $3::bigint LIMIT 1) AS last_day
          FROM unnest($4::integer[]) AS chosen (id)
        ) AS old
        WHERE session_bars.instrument_id = old.id AND session_bars.day <= old.last_day
        RETURNING 1
      )`,
    ),

    // $3: day, $4: number of rows.
    remove: fenced(
      'remove-day',
      `changed AS (
        DELETE FROM minute_bars WHERE ctid = ANY (ARRAY(
          SELECT minute_bars.ctid FROM minute_bars, fence WHERE day = $3 LIMIT $4))
        RETURNING 1
      )`,
    ),

    // $3: number of rows.
    removeAll: fenced(
      'remove-bars',
      `logged AS (
        DELETE FROM minute_bars WHERE ctid = ANY (ARRAY(
          SELECT minute_bars.ctid FROM minute_bars, fence LIMIT $3))
        RETURNING 1
      ), packed AS (
        DELETE FROM session_bars WHERE ctid = ANY (ARRAY(
          SELECT session_bars.ctid FROM session_bars, fence LIMIT $3))
        RETURNING 1
      ), changed AS (
        SELECT 1 FROM logged UNION ALL SELECT 1 FROM packed
      )`,
    ),
  } as const satisfies Readonly<Record<string, Statement>>;
}
