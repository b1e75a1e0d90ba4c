import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { changesTables, type ReadTable } from '../../import/changes/changes-tables.ts';
import {
  exportedBars,
  exportedCloses,
  valuesOf,
  withChanges,
  type CellValue,
  type ChangeColumn,
  type ExportedColumns,
  type ExportedTable,
} from '../../import/cells/exported-columns.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import type { Store } from '../../store/contract/store.ts';

/** The tables that can be exported, as a person reads their names. */
export const tableNames = {
  closes: 'closes',
  bars: 'bars of minutes',
  actions: changesTables.actions.name,
  indices: changesTables.indices.name,
  terms: changesTables.terms.name,
} as const;

export type TableName = keyof typeof tableNames;

/** What an export has read. */
export interface Counts {
  /** Number of instruments that have rows. Absent for a table that is not read by instrument. */
  instruments?: number;
  /** Number of rows that nothing has replaced. */
  rows: number;
  /** Number of replaced rows. Zero without changes. */
  replaced: number;
}

/** Which rows are exported. */
interface RowSelection {
  readonly instruments: readonly Instrument[];
  readonly isSelected: boolean;
  readonly range: DayRange;
  readonly isRanged: boolean;
  readonly hasChanges: boolean;
}

/** The rows of a table. They are counted while they are read. */
export async function tableOf(
  store: Store,
  table: TableName,
  selection: RowSelection,
  counts: Counts,
): Promise<ExportedTable> {
  const { range, hasChanges } = selection;
  if (table === 'bars') {
    if (hasChanges) throw new UsageFault('Bars have no changes. Leave out --with-changes.');
    const read = async (ticker: Ticker) => {
      const bars = await store.bars.readBars(ticker, range);
      return bars.map((bar) => ({ ticker, bar }));
    };
    return byInstrument(exportedBars, read, selection, counts);
  }
  if (table !== 'closes') {
    const { columns, rows } = await changesTables[table].exported(store, { hasChanges });
    const wanted = rowsWithin({ columns, rows }, table, selection);
    note(counts, columns, wanted);
    return { columns, batches: batchesOf(wanted) };
  }
  if (!hasChanges) {
    const read = async (ticker: Ticker) => {
      const closes = await store.history.readCloses(ticker, range);
      return closes.map((close) => ({ ticker, close }));
    };
    return byInstrument(exportedCloses, read, selection, counts);
  }
  const read = async (ticker: Ticker) => {
    const versions = await store.memory.readCloses(ticker, range);
    return versions.map((one) => ({ ...one, value: { ticker, close: one.value } }));
  };
  return byInstrument(withChanges(exportedCloses), read, selection, counts);
}

/** The rows of each instrument as a batch. */
function byInstrument<Row>(
  columns: ExportedColumns<Row>,
  read: (ticker: Ticker) => Promise<readonly Row[]>,
  { instruments }: RowSelection,
  counts: Counts,
): ExportedTable {
  counts.instruments = 0;
  async function* batches() {
    for (const { ticker } of instruments) {
      const rows = (await read(ticker)).map(valuesOf(columns));
      if (rows.length === 0) continue;
      counts.instruments = (counts.instruments ?? 0) + 1;
      note(counts, columns, rows);
      yield rows;
    }
  }
  return { columns, batches: batches() };
}

async function* batchesOf<T>(rows: readonly T[]) {
  if (rows.length > 0) yield rows;
}

function note(
  counts: Counts,
  columns: ExportedTable['columns'],
  rows: readonly (readonly CellValue[])[],
): void {
  const at = Object.keys(columns).indexOf('replaced_at' satisfies ChangeColumn);
  const replaced = rows.filter((row) => row[at] !== undefined).length;
  counts.replaced += replaced;
  counts.rows += rows.length - replaced;
}

/** The rows of the instruments and of the range of a request. What a table has no column for cannot be selected. */
function rowsWithin(
  { columns, rows }: ReadTable,
  table: TableName,
  { instruments, isSelected, isRanged, range }: RowSelection,
): readonly (readonly CellValue[])[] {
  const ticker = Object.keys(columns).indexOf('ticker');
  const date = Object.values(columns).findIndex(({ type }) => type === 'date');
  if ((isSelected && ticker < 0) || (isRanged && date < 0)) {
    const unknown = isSelected && ticker < 0 ? 'instruments' : 'days';
    throw new UsageFault(`The ${tableNames[table]} cannot be selected by ${unknown}.`);
  }
  const wanted = new Set<CellValue>(instruments.map((one) => one.ticker));
  const isWithin = (day: number): boolean => day >= range.from && day <= range.to;
  return rows.filter(
    (row) => (!isSelected || wanted.has(row[ticker])) && (!isRanged || isWithin(Number(row[date]))),
  );
}
