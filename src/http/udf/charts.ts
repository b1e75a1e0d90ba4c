import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Board } from '../../board/board.ts';
import {
  barsWithSession,
  barsWithin,
  followedBy,
  type ChartBars,
  type ChartInterval,
} from '../../contract/paths/udf/history.ts';
import {
  firstEpochDay,
  lastEpochDay,
  toEpochDay,
  type EpochDay,
} from '../../domain/calendar/plain-date.ts';
import { adjustToLatest, type AdjustedSeries } from '../../domain/history/adjust-series.ts';
import { isFactorAction } from '../../domain/history/corporate-action.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { BarSeries } from '../../domain/history/daily-close.ts';
import type { Period } from '../../domain/history/periods.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { barsOf, startOfBar, type BarInterval } from '../../domain/quotes/bar-interval.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import type { HistoryReader, HistoryRevisions } from '../../store/contract/history-store.ts';
import { whenRead, type ResponseMemory } from '../answers/answers.ts';

/** What the bars of charts are made of. */
export interface ChartsParts {
  readonly board: Board;
  readonly history: Pick<HistoryReader, 'readBars'>;
  readonly bars: Pick<BarReader, 'readBars'>;
  /** Gives the corporate actions in force. */
  readonly actions: () => CorporateActions;
  readonly revisions: HistoryRevisions;
  readonly memory: ResponseMemory;
}

/** The bars of an instrument in one interval. */
export interface Chart {
  /** What they are made of, compared by identity. */
  madeOf(): readonly unknown[];
  /** All of them: from memory, or read from the store first. */
  bars(): ChartBars | Promise<ChartBars>;
}

/** Gives the charts of instruments (contract 4.15.7). What is read for them is shared by all requests. */
export function charts(
  parts: ChartsParts,
): (instrument: Instrument, interval: ChartInterval) => Chart {
  const calendars = new MarketCalendars(parts.board.universe);
  return (instrument, interval) =>
    typeof interval === 'number'
      ? sessionChart(instrument, { ...parts, interval, calendar: calendars.of(instrument) })
      : closesChart(instrument, interval, parts);
}

/** The memory of a bar: of a row of a series, and of an object. */
const bytesPerRow = 48;
const bytesPerBar = 160;

/** Closes by period, adjusted for splits, with the session of the quote if it is later than the last of them. */
function closesChart(
  instrument: Instrument,
  period: Period,
  { board, history, actions, revisions, memory }: ChartsParts,
): Chart {
  const { ticker, currency } = instrument;
  const latest = board.latestFor(noExtras);
  const sessionDay = (): EpochDay | undefined => {
    const quote = latest.quote(instrument);
    return quote && toEpochDay(quote.sessionDate);
  };
  const read = async (): Promise<AdjustedSeries<BarSeries>> => {
    const series = await history.readBars(ticker, { from: firstEpochDay, to: lastEpochDay });
    return adjustToLatest(series, {
      actions: actions().of(ticker),
      adjustment: 'splits',
      currency,
      sessionDay: sessionDay(),
    });
  };
  const closes = (): AdjustedSeries<BarSeries> | Promise<AdjustedSeries<BarSeries>> => {
    const day = sessionDay() ?? firstEpochDay;
    // When the quote reaches the ex date of an action with a factor, the closes are on another basis.
    const basis = actions()
      .of(ticker)
      .findLast((action) => isFactorAction(action) && action.exDay <= day);
    return memory.share(`/udf/history ${ticker} day`, {
      madeOf: [revisions.of(instrument.ticker), basis],
      read,
      bytesOf: ({ days }) => days.length * bytesPerRow,
    });
  };
  const shown = (series: AdjustedSeries<BarSeries>): ChartBars =>
    barsWithSession(instrument, series, { period, quote: latest.quote(instrument) });
  return {
    madeOf: () => [revisions.of(instrument.ticker), latest.quote(instrument)],
    bars: () => whenRead(closes(), shown),
  };
}

/** The finished bars within sessions, and the minutes of the bar that further prices change. */
interface Finished {
  readonly revision: number;
  /** The day of the latest session, whose bars are read again when a minute is finished. */
  readonly day: EpochDay;
  /** The bars of the sessions before. They do not change. */
  readonly past: readonly Bar[];
  readonly bars: readonly Bar[];
  /** The finished minutes of the bar under way. */
  readonly minutes: readonly Bar[];
}

/**
 * The bars within sessions. All that are stored are read at the first request, and when a session begins: then the
 * store may drop the oldest one. When a minute has been finished since, only the latest session is read again. In
 * between, only the bar under way changes, with the latest quote.
 */
function sessionChart(
  instrument: Instrument,
  {
    board,
    bars,
    revisions,
    memory,
    interval,
    calendar,
  }: ChartsParts & {
    readonly interval: BarInterval;
    readonly calendar: ReturnType<MarketCalendars['of']>;
  },
): Chart {
  const underWay = (): Bar | undefined => board.quote(instrument)?.bar;

  const read = async (
    before: Finished | undefined,
    revision: number,
    bar: Bar | undefined,
  ): Promise<Finished> => {
    const known = before?.revision === revision && before.day === bar?.day ? before : undefined;
    const range = { from: known?.day ?? firstEpochDay, to: lastEpochDay };
    const stored = await bars.readBars(instrument.ticker, range);
    // The quote has the minute under way, and the store may be ahead of it.
    const minutes = bar === undefined ? stored : stored.filter(({ minute }) => minute < bar.minute);
    const day = bar?.day ?? minutes.at(-1)?.day ?? firstEpochDay;
    const start = bar === undefined ? Infinity : startOfBar(bar, interval, calendar);
    const past = known?.past ?? (await pastOf(minutes.filter((one) => one.day < day)));
    const latest = minutes.filter((one) => one.day >= day && one.minute < start);
    return {
      revision,
      day,
      past,
      bars: [...past, ...barsOf(latest, interval, calendar)],
      minutes: minutes.filter(({ minute }) => minute >= start),
    };
  };

  /** The bars of past sessions, each in a turn of the event loop, so that no other request waits for all of them. */
  const pastOf = async (minutes: readonly Bar[]): Promise<readonly Bar[]> => {
    const past: Bar[] = [];
    for (const session of Map.groupBy(minutes, ({ day }) => day).values()) {
      past.push(...barsOf(session, interval, calendar));
      // oxlint-disable-next-line no-await-in-loop -- each session has a turn of its own.
      await nextTurn();
    }
    return past;
  };

  const withUnderWay = (finished: Finished, bar: Bar | undefined): ChartBars => {
    const stored = barsWithin(instrument, finished.bars);
    if (bar === undefined) return stored;
    const last = barsOf([...finished.minutes, bar], interval, calendar);
    return followedBy(stored, barsWithin(instrument, last));
  };

  return {
    madeOf: () => [revisions.of(instrument.ticker), underWay()],
    bars: () => {
      const revision = revisions.of(instrument.ticker);
      const bar = underWay();
      const finished = memory.share<Finished>(`/udf/history ${instrument.ticker} ${interval}`, {
        madeOf: [revision, bar?.day, bar?.minute],
        read: (before) => read(before, revision, bar),
        bytesOf: (value) => (value.bars.length + value.minutes.length) * bytesPerBar,
      });
      return whenRead(finished, (loaded) => withUnderWay(loaded, bar));
    },
  };
}
