import type { DailyClose } from '../../domain/history/daily-close.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { SourceOrder } from '../../domain/history/source-order.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { CloseReader, DayRange } from '../../store/contract/history-store.ts';
import type { LackingDays } from './lacking-days.ts';
import { rangeOf, SessionDays } from './session-days.ts';

/**
 * Number of session days before a close of a later source that are requested with it. They show whether
 * both sources are on one basis.
 */
const daysBefore = 5;

/** Closes of another Pizarra are read again for this many days, because it may have corrected them. */
const correctedDays = 31;

const dayMs = 86_400_000;

/** An instrument without a close, or with session days without a close after its first close. */
export interface MissingCloses {
  readonly ticker: Ticker;
  /** Undefined: it has no close at all. */
  readonly gaps: { readonly days: number; readonly last: EpochDay } | undefined;
}

/** The days of an instrument that a source is asked for. */
export interface WantedDays {
  /** Ascending. */
  readonly days: readonly EpochDay[];
  /** The range to request. */
  readonly range: DayRange;
}

/** The session days that a fetch covers, and what is stored of them. */
export class FetchedDays {
  readonly #sessions: SessionDays;
  readonly #history: CloseReader;
  readonly #order: SourceOrder;
  readonly #lacking: LackingDays;
  /** Closes of another Pizarra are read again from this day on. */
  readonly #correctedFrom: EpochDay;

  constructor(
    { from, correctedFrom }: { readonly from: PlainDate; readonly correctedFrom?: PlainDate },
    dependencies: {
      readonly history: CloseReader;
      readonly universe: Universe;
      readonly clock: Clock;
      readonly order: SourceOrder;
      readonly lacking: LackingDays;
    },
  ) {
    this.#sessions = new SessionDays(from, dependencies);
    const today = Math.floor(dependencies.clock.now() / dayMs);
    this.#correctedFrom =
      correctedFrom === undefined
        ? ((today - correctedDays) as EpochDay)
        : toEpochDay(correctedFrom);
    this.#history = dependencies.history;
    this.#order = dependencies.order;
    this.#lacking = dependencies.lacking;
  }

  /** Ascending. */
  sessionsOf(ticker: Ticker): readonly EpochDay[] {
    return this.#sessions.of(ticker);
  }

  /**
   * The days that a source is asked for: those without a stored close, and those whose close is of a
   * source that comes later in the configuration. Days that the source is known to lack are left out.
   * Another Pizarra is asked again for its closes of the last month, and from the day on that the operator
   * names, because it may have corrected them. Undefined when there are none.
   */
  async wantedOf(
    source: string,
    ticker: Ticker,
    { isCopy = false }: { readonly isCopy?: boolean } = {},
  ): Promise<WantedDays | undefined> {
    const sessions = this.sessionsOf(ticker);
    const stored = new Map((await this.#closesOf(ticker)).map((one) => [one.day, one]));
    const known = this.#lacking.daysOf(source, ticker);
    const days = sessions.filter((day) => {
      const close = stored.get(day);
      if (close === undefined) return !known.has(day);
      if (isCopy && close.source === source) return day >= this.#correctedFrom;
      return this.#order.isPreferred(source, close.source) && !known.has(day);
    });
    const range = rangeOf(days);
    if (range === undefined) return undefined;
    if (!stored.has(range.from)) return { days, range };
    const first = sessions.indexOf(range.from);
    const from = sessions[Math.max(0, first - daysBefore)] ?? range.from;
    return { days, range: { from, to: range.to } };
  }

  /** Undefined for an instrument that lacks nothing. */
  async missingOf(ticker: Ticker): Promise<MissingCloses | undefined> {
    const closes = await this.#closesOf(ticker);
    const stored = new Set(closes.map(({ day }) => day));
    const first = closes[0]?.day;
    const unstored = this.sessionsOf(ticker).filter((day) => !stored.has(day));
    if (unstored.length === 0) return undefined;
    if (first === undefined) return { ticker, gaps: undefined };
    const gaps = unstored.filter((day) => day > first);
    const last = gaps.at(-1);
    return last === undefined ? undefined : { ticker, gaps: { days: gaps.length, last } };
  }

  /** The stored closes from the first to the last session. */
  async #closesOf(ticker: Ticker): Promise<readonly DailyClose[]> {
    const range = rangeOf(this.sessionsOf(ticker));
    return range === undefined ? [] : await this.#history.readCloses(ticker, range);
  }
}
