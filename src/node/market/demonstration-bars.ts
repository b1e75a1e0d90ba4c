import type { Instrument } from '../../domain/instruments/instrument.ts';
import { msPerMinute, type Bar } from '../../domain/quotes/minute-bar.ts';
import {
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { SimulatedMinutes } from '../../feeds/simulated/simulated-minutes.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import type { HistoryReader } from '../../store/contract/history-store.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { ContinuedBars } from '../../store/continued/continued-history.ts';
import type { Store } from '../../store/contract/store.ts';
import { demonstration } from './demonstration.ts';

/** Number of sessions before the current one that have bars from the first start on. */
const pastSessions = 5;

/**
 * The bars of a demonstration: the recorded ones, and the minutes in which it did not run. They are
 * computed when they are read, so a newcomer sees full charts at once, and the first start takes no
 * longer.
 *
 * - A past session without a recorded bar has all its minutes, which agree with its daily close and range.
 * - A session in which the demonstration ran only for a time has the minutes before, between and after the
 *   recorded ones too.
 */
export class DemonstrationBars implements BarReader {
  readonly #stored: BarReader;
  readonly #history: Pick<HistoryReader, 'readBars'>;
  readonly #minutes: SimulatedMinutes;
  readonly #startedAt: () => number;

  constructor(parts: {
    readonly stored: BarReader;
    readonly history: Pick<HistoryReader, 'readBars'>;
    readonly minutes: SimulatedMinutes;
    /** Gives the instant from which on each minute is recorded, in epoch milliseconds. */
    readonly startedAt: () => number;
  }) {
    this.#stored = parts.stored;
    this.#history = parts.history;
    this.#minutes = parts.minutes;
    this.#startedAt = parts.startedAt;
  }

  async readBars(
    ticker: Ticker,
    { from, to, sinceMinute = -Infinity }: Parameters<BarReader['readBars']>[1],
  ): Promise<readonly Bar[]> {
    const instrument = this.#minutes.universe.find(ticker);
    const isRecorded = sinceMinute >= Math.floor(this.#startedAt() / msPerMinute);
    if (instrument === undefined || isRecorded) {
      return this.#stored.readBars(ticker, { from, to, sinceMinute });
    }
    const stored = await this.#stored.readBars(ticker, { from, to });
    const byDay = Map.groupBy(stored, ({ day }) => day);
    const days = this.#daysOf(instrument).filter((day) => day >= from && day <= to);
    const bars: Bar[] = [];
    for (const day of new Set([...days, ...byDay.keys()].toSorted((a, b) => a - b))) {
      const own = byDay.get(day) ?? [];
      bars.push(...(await this.#whole(instrument, day, own)));
    }
    return bars.filter(({ minute }) => minute >= sinceMinute);
  }

  async latestBarDay(ticker: Ticker): Promise<EpochDay | undefined> {
    const stored = await this.#stored.latestBarDay(ticker);
    if (stored !== undefined) return stored;
    const instrument = this.#minutes.universe.find(ticker);
    return instrument === undefined ? undefined : this.#daysOf(instrument).at(-1);
  }

  /** The days that have minutes without a stored bar, ascending. */
  #daysOf(instrument: Instrument): readonly EpochDay[] {
    const calendar = this.#minutes.calendarOf(instrument);
    const days: EpochDay[] = [];
    let date = calendar.sessionAt(this.#startedAt());
    for (let count = 0; count <= pastSessions; count += 1) {
      days.unshift(toEpochDay(date));
      date = calendar.previousSession(date);
    }
    return days;
  }

  /** The minutes of a day, given the recorded ones: up to its end, or to the start of the recording. */
  async #whole(
    instrument: Instrument,
    day: EpochDay,
    recorded: readonly Bar[],
  ): Promise<readonly Bar[]> {
    const date = fromEpochDay(day);
    const calendar = this.#minutes.calendarOf(instrument);
    const isOver = calendar.closesAt(date) <= this.#startedAt();
    if (isOver && recorded.length === 0) return this.#ended(instrument, date);
    // A day that began while the demonstration ran has no other minutes.
    if (calendar.opensAt(date) > this.#startedAt()) return recorded;
    const known = new Set(recorded.map(({ minute }) => minute));
    const until = Math.min(calendar.closesAt(date), this.#startedAt());
    if (known.size >= Math.floor((until - calendar.opensAt(date)) / msPerMinute)) return recorded;
    const computed = this.#minutes.ofSession(instrument, date, until);
    return [...recorded, ...computed.filter(({ minute }) => !known.has(minute))].toSorted(
      (a, b) => a.minute - b.minute,
    );
  }

  async #ended(instrument: Instrument, date: PlainDate): Promise<readonly Bar[]> {
    const day = toEpochDay(date);
    const daily = await this.#history.readBars(instrument.ticker, { from: day, to: day });
    const close = daily.closes[0];
    if (close === undefined) return [];
    const [volume, open, high, low] = [daily.volumes, daily.opens, daily.highs, daily.lows].map(
      (column) => (Number.isNaN(column[0]) ? undefined : column[0]),
    );
    const figures = { close, volume: volume ?? null, open, high, low };
    return this.#minutes.ofEndedSession(instrument, date, figures);
  }
}

/** The bars that a market shows: of instruments whose ticker has changed, those of the earlier ticker too. */
export function openBars({
  store,
  actions,
  universe,
  sessions,
  demonstrationSince,
}: {
  readonly store: Pick<Store, 'bars' | 'history'>;
  /** Gives the corporate actions in force. */
  readonly actions: () => CorporateActions;
  readonly universe: Universe;
  /** Number of sessions of each instrument whose bars are kept. */
  readonly sessions: number;
  /** For a demonstration, gives the instant from which on it records bars, in epoch milliseconds. */
  readonly demonstrationSince: (() => number) | undefined;
}): BarReader {
  if (demonstrationSince === undefined || sessions === 0) {
    return new ContinuedBars(store.bars, actions);
  }
  return new DemonstrationBars({
    stored: store.bars,
    history: store.history,
    minutes: new SimulatedMinutes(universe, demonstration.seed),
    startedAt: demonstrationSince,
  });
}
