import { setImmediate as nextTurn } from 'node:timers/promises';

import { toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { joinedTable } from '../../wire/bodies/joined-history.ts';
import type { JoinedTable } from '../../wire/bodies/joined-history.ts';
import type { JoinedHistory } from '../../wire/params/history-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { Body } from '../content/body.ts';
import { ifAskedAgain } from '../content/compression-pace.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { readRange } from './read-range.ts';
import type { RangeSources } from './read-range.ts';

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

/**
 * Reads the series of several instruments in a range into one table. Other requests are answered between
 * the reads of two instruments.
 *
 * @throws StoreFault if the store cannot be read.
 */
export async function readTable(
  sources: RangeSources,
  query: TableQuery,
  options: {
    readonly format: TableFormat;
    readonly instruments: readonly Instrument[];
    /** Maximum size of a table that keeps its rows. */
    readonly sizeMax: number;
    /** Renders the instants of the closes, where the query has them. */
    readonly instants: InstantTexts | undefined;
  },
): Promise<ReadTable> {
  const { adjustment, fields, form, cell } = query;
  const range = { from: toEpochDay(query.from), to: toEpochDay(query.to) };
  const withBars =
    fields.some((field) => field !== 'instant') ||
    (form === 'wide' && cell !== 'closes' && cell !== 'volumes');
  const table = joinedTable(query, options);
  const stale: InstrumentDay[] = [];
  const unapplied: InstrumentDay[] = [];
  for (const instrument of options.instruments) {
    await nextTurn();
    const { series, staleFrom } = await readRange(sources, instrument, {
      range,
      adjustment,
      withBars,
    });
    table.add(instrument, series);
    if (staleFrom !== undefined) stale.push({ instrument, day: staleFrom });
    unapplied.push(...series.unapplied.map((day) => ({ instrument, day })));
  }
  return { table, stale, unapplied };
}

/** The body of a table. Other requests are answered between two parts. */
export async function bodyOfTable(
  table: JoinedTable,
  { format, onGrowth }: { readonly format: TableFormat; readonly onGrowth: () => void },
): Promise<Body> {
  const parts: Buffer[] = [];
  for (const part of table.parts()) {
    await nextTurn();
    parts.push(Buffer.from(part));
  }
  return new Body({
    type: mediaTypeOf(format),
    parts: [Buffer.concat(parts)],
    mayCompress: ifAskedAgain(),
    onGrowth,
  });
}
