import { type EpochDay, msPerDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Clock } from '../../lib/time/clock.ts';

/** Days that were requested from a source, and that it did not have. Both ends are included. */
export interface LackingRange {
  readonly source: string;
  readonly ticker: Ticker;
  /** When the days were requested, in epoch milliseconds. */
  readonly askedAt: number;
  readonly from: EpochDay;
  readonly to: EpochDay;
}

/**
 * Time within which a source may still publish a close, in days. A younger day without a close is not
 * remembered, so it is requested again.
 */
const lateDays = 7;

/** A day that a source lacked is remembered for at least this long, in milliseconds. */
const rememberedMsMin = 30 * msPerDay;

/**
 * The days that each source lacks: days before an instrument was listed, days on which it did not
 * trade, holidays that the universe does not have. A day is requested again after a month at the
 * earliest, and not before it is twice as old as it was when the source lacked it. So an old day is
 * requested only a few times, and the closes that a source adds to its past are found nevertheless.
 *
 * Only days that a source lacked are remembered, never days that it had. So after a restore from a
 * backup, the days whose closes are lost are requested again.
 */
export class LackingDays {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #byInstrument = new Map<string, LackingRange[]>();
  readonly #onChange: (ranges: readonly LackingRange[]) => void;

  /** @param onChange receives all ranges after each change. */
  constructor(
    ranges: readonly LackingRange[],
    {
      clock,
      onChange,
    }: {
      readonly clock: Pick<Clock, 'now'>;
      readonly onChange: (ranges: readonly LackingRange[]) => void;
    },
  ) {
    this.#clock = clock;
    this.#onChange = onChange;
    for (const range of ranges) this.#listOf(range.source, range.ticker).push(range);
  }

  /** The days of an instrument that a source lacks, and that need not be requested now. */
  daysOf(source: string, ticker: Ticker): ReadonlySet<EpochDay> {
    const days = new Set<EpochDay>();
    for (const range of this.#listOf(source, ticker)) {
      const last = this.#lastRemembered(range);
      for (let day = range.from; day <= last; day = (day + 1) as EpochDay) days.add(day);
    }
    return days;
  }

  /**
   * Remembers days that a source did not have.
   *
   * @param sessions all session days of the market that may be requested, ascending.
   */
  note(
    source: string,
    ticker: Ticker,
    {
      days,
      sessions,
    }: { readonly days: readonly EpochDay[]; readonly sessions: readonly EpochDay[] },
  ): void {
    const askedAt = this.#clock.now();
    const settled = new Set(days.filter((day) => day < askedAt / msPerDay - lateDays));
    if (settled.size === 0) return;
    const list = this.#listOf(source, ticker);
    for (const range of rangesOf(settled, sessions)) {
      list.push({ source, ticker, askedAt, ...range });
    }
    const all = [...this.#byInstrument.values()].flat();
    this.#onChange(all.filter((range) => range.from <= this.#lastRemembered(range)));
  }

  /**
   * The last day of a range that is still remembered. Later days are due again. The result is before the
   * range if all of its days are due.
   */
  #lastRemembered({ askedAt, to }: LackingRange): number {
    const sinceMs = this.#clock.now() - askedAt;
    // The clock has been set back, so the age of the request is unknown. All days are due.
    if (sinceMs < 0) return Number.NEGATIVE_INFINITY;
    if (sinceMs < rememberedMsMin) return to;
    return Math.min(to, Math.ceil((askedAt - sinceMs) / msPerDay) - 1);
  }

  #listOf(source: string, ticker: Ticker): LackingRange[] {
    return this.#byInstrument.getOrInsert(`${source}\n${ticker}`, []);
  }
}

/** The ranges of consecutive sessions that contain these days, and no other session day. */
function rangesOf(
  days: ReadonlySet<EpochDay>,
  sessions: readonly EpochDay[],
): readonly { readonly from: EpochDay; readonly to: EpochDay }[] {
  const ranges: { from: EpochDay; to: EpochDay }[] = [];
  let current: (typeof ranges)[number] | undefined;
  for (const day of sessions) {
    if (!days.has(day)) {
      current = undefined;
    } else if (current === undefined) {
      current = { from: day, to: day };
      ranges.push(current);
    } else {
      current.to = day;
    }
  }
  return ranges;
}
