import { firstEpochDay, lastEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import {
  adjustToLatest,
  type Adjustment,
  type AdjustedSeries,
} from '../../domain/history/adjust-series.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { rowsInRange, type CloseSeries } from '../../domain/history/daily-close.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { DayRange, HistoryReader } from '../../store/contract/history-store.ts';
import type { SeriesReader } from '../content/series-cache.ts';

/** What a range of a series is read from. */
export interface RangeSources {
  readonly history: SeriesReader;
  /** Gives the corporate actions in force. */
  readonly actions: () => CorporateActions;
  /** Gives the session day of the quote of an instrument. */
  readonly sessionDay: (instrument: Instrument) => EpochDay | undefined;
}

/** As {@link RangeSources}, with a history that counts what it would read. */
export interface CountedSources extends RangeSources {
  readonly history: SeriesReader & Pick<HistoryReader, 'countCloses'>;
}

/** The rows of a range, with the values to show. */
export interface ReadRange {
  readonly series: AdjustedSeries;
  /** The first session day of a quote with which the rows are on another basis. */
  readonly staleFrom: EpochDay | undefined;
}

/**
 * Reads the rows of one instrument in a range: those that its whole series has, adjusted to the same basis.
 * It reads no more than that takes. For closes as traded this is the range. The adjustment also needs the
 * closes after the range: they give the basis, and the closes before later dividends.
 *
 * @throws StoreFault if the store cannot be read.
 */
export async function readRange(
  { history, actions, sessionDay }: RangeSources,
  instrument: Instrument,
  {
    range,
    adjustment,
    withBars,
  }: {
    readonly range: DayRange;
    readonly adjustment: Adjustment;
    /** Whether opens, highs and lows are read, too. */
    readonly withBars: boolean;
  },
): Promise<ReadRange> {
  const read = (days: DayRange): Promise<CloseSeries> =>
    withBars
      ? history.readBars(instrument.ticker, days)
      : history.readSeries(instrument.ticker, days);
  const inForce = adjustment === 'none' ? [] : actions().of(instrument.ticker);
  if (inForce.length === 0) {
    const series = { ...(await read(range)), adjustedRows: 0, unapplied: [] };
    return { series, staleFrom: undefined };
  }
  let whole = await read({ from: range.from, to: lastEpochDay });
  // The close before the dividend is before the range.
  if (adjustment === 'total' && hasDividendBefore(whole.days[0], inForce, range.from)) {
    whole = await read({ from: firstEpochDay, to: lastEpochDay });
  }
  const { adjusted, staleFrom } = adjustToLatest(whole, {
    actions: inForce,
    adjustment,
    currency: instrument.currency,
    sessionDay: sessionDay(instrument),
  });
  const { rows, firstRow } = rowsInRange(adjusted, range);
  const adjustedRows = Math.max(0, adjusted.adjustedRows - firstRow);
  const unapplied = adjusted.unapplied.filter((day) => day > range.from);
  return { series: { ...rows, adjustedRows, unapplied }, staleFrom };
}

/** Whether a cash dividend is after the first day of a range, and not after its first row. */
function hasDividendBefore(
  firstRowDay = Infinity,
  actions: readonly CorporateAction[],
  from: EpochDay,
): boolean {
  return actions.some(
    ({ type, exDay }) => type === 'cash-dividend' && exDay > from && exDay <= firstRowDay,
  );
}
