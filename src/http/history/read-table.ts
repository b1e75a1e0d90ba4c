import {
  daysWith,
  historyRows,
  wideRowOf,
  wideTable,
  type HistoryQuery,
  type HistoryRow,
  type ShownSeries,
} from '../../contract/paths/historicos.ts';
import type { Table, TableRows } from '../../contract/table.ts';
import { firstEpochDay, lastEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import {
  adjustToLatest,
  nextExDay,
  type AdjustedSeries,
  type Adjustment,
} from '../../domain/history/adjust-series.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import {
  convertSeries,
  rateAgeDaysMax,
  type ConvertedCurrency,
} from '../../domain/history/convert-series.ts';
import { emptySeries, rowsInRange, type CloseSeries } from '../../domain/history/daily-close.ts';
import { byPeriod, periodOf } from '../../domain/history/periods.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { refused, type Parsed, type Refused } from '../../domain/values/problem.ts';
import type { DayRange, HistoryReader } from '../../store/contract/history-store.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import { instantName } from '../../wire/texts/instant-texts.ts';
import { shownValue } from '../../wire/texts/number.ts';
import type { Sliced } from '../answers/read-queue.ts';
import type { BondPayments } from './bond-payments.ts';

/** Reads series from a store. */
export type SeriesReader = Pick<HistoryReader, 'readSeries' | 'readBars'>;

/** What series are read from. */
export interface SeriesSources {
  readonly history: SeriesReader & Pick<HistoryReader, 'countCloses'>;
  /** Gives the corporate actions in force. */
  readonly actions: () => CorporateActions;
  readonly payments: BondPayments;
  /** Gives the session day of the quote of an instrument. */
  readonly sessionDay: (instrument: Instrument) => EpochDay | undefined;
}

/** The actions of an instrument that an adjustment may include. The payments of a bond count as cash dividends. */
export function actionsFor(
  { actions, payments }: Pick<SeriesSources, 'actions' | 'payments'>,
  instrument: Instrument,
  adjustment: Adjustment,
): readonly CorporateAction[] {
  if (adjustment === 'none') return [];
  const inForce = actions().of(instrument.ticker);
  return adjustment === 'total' ? withPayments(inForce, payments.of(instrument)) : inForce;
}

function withPayments(
  actions: readonly CorporateAction[],
  payments: readonly CorporateAction[],
): readonly CorporateAction[] {
  if (payments.length === 0) return actions;
  return [...actions, ...payments].sort((a, b) => a.exDay - b.exDay);
}

/**
 * Reads the rows of one instrument in a range: those that its whole series has, adjusted to the same basis.
 * It reads no more than that takes. For closes as traded this is the range. The adjustment also needs the
 * closes after the range: they give the basis, and the closes before later dividends.
 *
 * @throws StoreFault if the store cannot be read.
 */
export async function readRange(
  {
    history,
    actions,
    payments,
    sessionDay,
  }: Omit<SeriesSources, 'history'> & { readonly history: SeriesReader },
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
): Promise<AdjustedSeries> {
  const read = (days: DayRange): Promise<CloseSeries> =>
    withBars
      ? history.readBars(instrument.ticker, days)
      : history.readSeries(instrument.ticker, days);
  const inForce = withPayments(
    adjustment === 'none' ? [] : actions().of(instrument.ticker),
    adjustment === 'total' ? await payments.inCurrency(instrument, history) : [],
  );
  if (inForce.length === 0) return { ...(await read(range)), adjustedRows: 0, unapplied: [] };
  let whole = await read({ from: range.from, to: lastEpochDay });
  // The close before the dividend is before the range.
  if (adjustment === 'total' && hasDividendBefore(whole.days[0], inForce, range.from)) {
    whole = await read({ from: firstEpochDay, to: lastEpochDay });
  }
  const adjusted = adjustToLatest(whole, {
    actions: inForce,
    adjustment,
    currency: instrument.currency,
    sessionDay: sessionDay(instrument),
  });
  const { rows, firstRow } = rowsInRange(adjusted, range);
  const adjustedRows = Math.max(0, adjusted.adjustedRows - firstRow);
  const unapplied = adjusted.unapplied.filter((day) => day > range.from);
  return { ...rows, adjustedRows, unapplied };
}

/** Whether a cash dividend is after the first day of a range, and not after its first row. */
function hasDividendBefore(
  firstRowDay = Infinity,
  actions: readonly CorporateAction[],
  from: EpochDay,
): boolean {
  if (from === firstEpochDay) return false;
  return actions.some(
    ({ type, exDay }) => type === 'cash-dividend' && exDay > from && exDay <= firstRowDay,
  );
}

/** A day of an instrument. */
export interface InstrumentDay {
  readonly instrument: Instrument;
  readonly day: EpochDay;
}

/** The first ex day of each instrument that its quote has not reached: then its adjusted closes are on another basis. */
export function nextExDays(
  sources: Omit<SeriesSources, 'history'>,
  instruments: readonly Instrument[],
  adjustment: Adjustment,
): readonly InstrumentDay[] {
  if (adjustment === 'none') return [];
  return instruments.flatMap((instrument) => {
    const after = sources.sessionDay(instrument) ?? firstEpochDay;
    const day = nextExDay(actionsFor(sources, instrument, adjustment), { after, adjustment });
    return day === undefined ? [] : [{ instrument, day }];
  });
}

/** What of a request determines the rows of its table. */
export interface TableQuery extends Pick<HistoryQuery, 'adjustment' | 'fields' | 'period'> {
  readonly form: 'long' | 'wide';
  readonly cell: HistoryQuery['subject']['cell'];
  readonly range: DayRange;
  /** The currency of the prices, and the instrument by whose closes they are converted, if the universe has it. */
  readonly conversion?:
    | { readonly to: ConvertedCurrency; readonly dollar: Instrument | undefined }
    | undefined;
}

/** The closes of a dollar that convert the prices of a range. */
async function dollarCloses(
  sources: SeriesSources,
  { dollar }: NonNullable<TableQuery['conversion']>,
  { from, to }: DayRange,
): Promise<CloseSeries> {
  if (dollar === undefined) return emptySeries;
  const range = { from: (from - rateAgeDaysMax) as EpochDay, to };
  return readRange(sources, dollar, { range, adjustment: 'none', withBars: false });
}

/** What is read into a table, and how. */
interface TableOptions {
  /** Renders the rows of a long table. */
  readonly long: Table<HistoryRow>;
  readonly format: TableFormat;
  readonly instruments: readonly Instrument[];
  /** Maximum number of rows, or of dates multiplied by instruments. */
  readonly sizeMax: number;
}

/** Maximum number of instruments whose rows are counted in one slice. */
const countedPerSlice = 20;

/** Number of cells of a wide table that are rendered in one slice: about a millisecond. */
const cellsPerSlice = 5_000;

/**
 * Reads the series of several instruments in a range into one table, one instrument in each slice (contract 4.2.10 to
 * 4.2.13). A table that is larger than allowed is a problem (contract 4.2.14): of a long one the rows are counted
 * before any is read, and the reading of a wide one ends as soon as it is too large.
 *
 * @throws StoreFault if the store cannot be read.
 */
export async function* readTable(
  sources: SeriesSources,
  query: TableQuery,
  options: TableOptions,
): Sliced<
  Parsed<{
    readonly rows: TableRows;
    /** The ex days of the cash dividends that are not adjusted for. */
    readonly unapplied: readonly InstrumentDay[];
    /** The number of sessions without the dollar that converts them. */
    readonly omitted: number;
  }>
> {
  const { adjustment, fields, form, cell, range, period, conversion } = query;
  const { long, format, instruments, sizeMax } = options;
  const refusal = yield* tooManyRows(sources, query, options);
  if (refusal !== undefined) return refusal;
  const withBars =
    fields.some((field) => field !== instantName) ||
    (form === 'wide' && cell !== 'closes' && cell !== 'volumes');
  const rates = conversion && (await dollarCloses(sources, conversion, range));
  let omitted = 0;
  const convert = (series: AdjustedSeries, { currency: from }: Instrument): AdjustedSeries => {
    if (conversion === undefined || rates === undefined) return series;
    const converted = convertSeries(series, { from, to: conversion.to, dollar: rates });
    omitted += converted.omitted;
    return converted.series;
  };
  const unapplied: InstrumentDay[] = [];
  const texts: Buffer[] = [];
  const columns: { readonly instrument: Instrument; readonly series: ShownSeries }[] = [];
  /** The latest day of each period that has a value: that of its row in a wide table, whose instruments it may differ for. */
  const days = new Map<number | string, number>();
  let rows = 0;
  for (const instrument of instruments) {
    yield;
    const daily = await readRange(sources, instrument, { range, adjustment, withBars });
    const shown = convert(daily, instrument);
    const series = byPeriod(shown, period, (price) => shownValue(price, instrument));
    unapplied.push(...series.unapplied.map((day) => ({ instrument, day })));
    if (form === 'wide') {
      columns.push({ instrument, series });
      for (const day of daysWith(series, cell)) {
        const key = periodOf[period](day);
        days.set(key, Math.max(day, days.get(key) ?? day));
      }
    } else {
      const count = series.days.length;
      rows += count;
      // The problem has the number of all rows.
      if (rows > sizeMax) continue;
      texts.push(long.texts(historyRows(instrument, series), count, format).between(0, count));
    }
    const size = days.size * instruments.length;
    if (size > sizeMax) return tooLarge(query, size, sizeMax);
  }
  if (rows > sizeMax) return tooLarge(query, rows, sizeMax);
  if (form === 'long')
    return { ok: true, value: { rows: long.ofTexts(texts), unapplied, omitted } };
  const wide = wideTable(instruments);
  const rowDay = (day: number): number => days.get(periodOf[period](day)) ?? day;
  const dated = ({ instrument, series }: (typeof columns)[number]): (typeof columns)[number] => {
    return { instrument, series: { ...series, days: series.days.map(rowDay) } };
  };
  const rowOf = wideRowOf(period === 'day' ? columns : columns.map(dated), cell);
  const ascending = Int32Array.from(days.values()).toSorted();
  const rowsPerSlice = Math.max(1, Math.floor(cellsPerSlice / Math.max(1, columns.length)));
  for (let at = 0; at < ascending.length; at += rowsPerSlice) {
    yield;
    const some = Array.from(ascending.subarray(at, at + rowsPerSlice), rowOf);
    texts.push(wide.texts(some, some.length, format).between(0, some.length));
  }
  return { ok: true, value: { rows: wide.ofTexts(texts), unapplied, omitted } };
}

/**
 * The problem of a long table with more rows than allowed, found by counting them. Rows of weeks and months are counted
 * while they are read.
 */
export async function* tooManyRows(
  { history }: Pick<SeriesSources, 'history'>,
  query: Pick<TableQuery, 'form' | 'range' | 'period'>,
  { instruments, sizeMax }: Pick<TableOptions, 'instruments' | 'sizeMax'>,
): Sliced<Refused | undefined> {
  if (query.form === 'wide' || query.period !== 'day' || sizeMax === Infinity) return undefined;
  const tickers = instruments.map(({ ticker }) => ticker);
  let count = 0;
  for (let at = 0; at < tickers.length; at += countedPerSlice) {
    yield;
    const counts = await history.countCloses(tickers.slice(at, at + countedPerSlice), query.range);
    for (const one of counts) count += one;
  }
  return count > sizeMax ? tooLarge(query, count, sizeMax) : undefined;
}

function tooLarge({ form }: Pick<TableQuery, 'form'>, count: number, max: number): Refused {
  const type = form === 'long' ? 'rows-too-many' : 'cells-too-many';
  return refused({ type, count, max });
}
