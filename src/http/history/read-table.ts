import type { TableRows } from '../../contract/table.ts';
import { toEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import { joinedTable, type JoinedTable } from '../../wire/bodies/joined-history.ts';
import type { JoinedHistory } from '../../wire/params/history-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import type { Sliced } from '../answers/read-queue.ts';
import { readRange, type CountedSources } from './read-range.ts';

/** What of a request determines the rows of its table. */
export type TableQuery = Pick<
  JoinedHistory,
  'from' | 'to' | 'adjustment' | 'fields' | 'form' | 'cell'
>;

/** A day of an instrument. */
interface InstrumentDay {
  readonly instrument: Instrument;
  readonly day: EpochDay;
}

/** The table of a request, and what is said beside it. */
export interface ReadTable {
  readonly table: JoinedTable;
  /** When the quotes of instruments reach these days, the rows are on another basis. */
  readonly stale: readonly InstrumentDay[];
  /** The ex days of the cash dividends that are not adjusted for. */
  readonly unapplied: readonly InstrumentDay[];
}

/** Maximum number of instruments whose rows are counted in one slice. */
const countedPerSlice = 20;

/**
 * Reads the series of several instruments in a range into one table, one instrument in each slice. A table that is
 * larger than allowed is a problem (contract 4.2.14): of a long one the rows are counted before any is read, and the
 * reading of a wide one ends as soon as it is too large.
 *
 * @throws StoreFault if the store cannot be read.
 */
export async function* readTable(
  sources: CountedSources,
  query: TableQuery,
  options: {
    readonly format: TableFormat;
    readonly instruments: readonly Instrument[];
    /** Maximum size of the table. */
    readonly sizeMax: number;
    /** Renders the instants of the closes, where the query has them. */
    readonly instants: InstantTexts | undefined;
  },
): Sliced<Parsed<ReadTable>> {
  const { adjustment, fields, form, cell } = query;
  const { instruments, sizeMax } = options;
  const refused = yield* tooManyRows(sources, query, options);
  if (refused !== undefined) return refused;
  const range = rangeOf(query);
  const withBars =
    fields.some((field) => field !== 'instant') ||
    (form === 'wide' && cell !== 'closes' && cell !== 'volumes');
  const table = joinedTable(query, options);
  const stale: InstrumentDay[] = [];
  const unapplied: InstrumentDay[] = [];
  for (const instrument of instruments) {
    yield;
    const { series, staleFrom } = await readRange(sources, instrument, {
      range,
      adjustment,
      withBars,
    });
    table.add(instrument, series);
    if (table.size > sizeMax) return tooLarge(query, table.size, sizeMax);
    if (staleFrom !== undefined) stale.push({ instrument, day: staleFrom });
    unapplied.push(...series.unapplied.map((day) => ({ instrument, day })));
  }
  return { ok: true, value: { table, stale, unapplied } };
}

/** The problem of a long table with more rows than allowed, found by counting them. */
export async function* tooManyRows(
  { history }: Pick<CountedSources, 'history'>,
  query: TableQuery,
  {
    instruments,
    sizeMax,
  }: { readonly instruments: readonly Instrument[]; readonly sizeMax: number },
): Sliced<Refused | undefined> {
  if (query.form === 'wide' || sizeMax === Infinity) return undefined;
  const range = rangeOf(query);
  const tickers = instruments.map(({ ticker }) => ticker);
  let count = 0;
  for (let at = 0; at < tickers.length; at += countedPerSlice) {
    yield;
    const counts = await history.countCloses(tickers.slice(at, at + countedPerSlice), range);
    for (const one of counts) count += one;
  }
  return count > sizeMax ? tooLarge(query, count, sizeMax) : undefined;
}

type Refused = Extract<Parsed<never>, { ok: false }>;

function tooLarge({ form }: TableQuery, count: number, max: number): Refused {
  const type = form === 'long' ? 'rows-too-many' : 'cells-too-many';
  return { ok: false, problem: { type, count, max } };
}

function rangeOf({ from, to }: TableQuery): DayRange {
  return { from: toEpochDay(from), to: toEpochDay(to) };
}

/** The rows of a table, rendered one part in each slice. */
export async function* rowsOfTable(table: JoinedTable): Sliced<TableRows> {
  const parts: Buffer[] = [];
  for (const part of table.parts()) {
    yield;
    parts.push(Buffer.from(part));
  }
  const text = Buffer.concat(parts);
  return { kept: undefined, render: () => text };
}
