import { parsePlainDate, toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { changeOrigins, type StoreChange, type Version } from '../../domain/changes/version.ts';
import { isCloseSource } from '../../domain/history/close-source.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { CloseVersion } from '../../domain/history/versions.ts';
import { cellAt, type CellRow } from '../cells/table.ts';
import type { ImportRefusal } from '../refusals/import-refusal.ts';
import {
  exportedCloses,
  namesOf,
  withChanges,
  type ChangeColumn,
  type ExportedColumns,
} from '../cells/exported-columns.ts';

/** Gives the refusal of a row. */
export type Wrong = (problem: string) => ImportRefusal;

export type Cells<Column extends string> = Readonly<Record<Column, string>>;

/** The first header of `pizarra export --with-changes`: that of the closes. */
export const changesHeader = headerOf(exportedCloses);

/** The header of a table: the columns of a value, and those of its changes. */
export function headerOf<Column extends string>(
  columns: ExportedColumns<never, Column>,
): readonly (Column | ChangeColumn)[] {
  return namesOf(withChanges(columns));
}

/** The cells of a row by the columns of its table. */
export function cellsOf<Column extends string>(
  header: readonly Column[],
  row: CellRow,
): Cells<Column> {
  const entries = header.map((column, at) => [column, cellAt(row, at).trim()]);
  return Object.fromEntries(entries) as Cells<Column>;
}

/**
 * Reads a value and its changes exactly as they were stored.
 *
 * @throws {ImportRefusal} by `wrong`
 */
export function versionOf<T>(value: T, cells: Cells<ChangeColumn>, wrong: Wrong): Version<T> {
  const stored = changeIn(cells.stored_at, cells.stored_by, wrong);
  if (stored === undefined) throw wrong('stored_at is missing');
  const replaced = changeIn(cells.replaced_at, cells.replaced_by, wrong);
  return { value, stored, ...(replaced !== undefined && { replaced }) };
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Undefined for empty cells. */
function changeIn(atCell: string, originCell: string, wrong: Wrong): StoreChange | undefined {
  if (atCell === '' && originCell === '') return undefined;
  const at = instant.test(atCell) ? Date.parse(atCell) : Number.NaN;
  if (Number.isNaN(at)) throw wrong(`"${atCell}" is not an instant`);
  const origin = changeOrigins.find((one) => one === originCell);
  if (origin === undefined) {
    throw wrong(`"${originCell}" is not the origin of a change (${changeOrigins.join(', ')})`);
  }
  return { at, origin };
}

/**
 * Reads the cells of a close and of its changes.
 *
 * @throws {ImportRefusal} when the row is not one that an export writes.
 */
export function readCloseVersion(row: CellRow, wrong: Wrong): CloseVersion {
  const cells = cellsOf(changesHeader, row);
  const date = dateIn(cells.date, wrong);
  const close = numberIn(cells.close, wrong);
  if (close === undefined) throw wrong('the close is missing');
  const { source } = cells;
  if (source !== '' && !isCloseSource(source)) throw wrong(`"${source}" is not a source`);
  const [open, high, low] = [cells.open, cells.high, cells.low].map((one) => numberIn(one, wrong));
  const value: DailyClose = {
    day: toEpochDay(date),
    close,
    volume: numberIn(cells.volume, wrong) ?? null,
    ...(open !== undefined && { open }),
    ...(high !== undefined && { high }),
    ...(low !== undefined && { low }),
    ...(source !== '' && { source }),
  };
  return versionOf(value, cells, wrong);
}

function dateIn(cell: string, wrong: Wrong): PlainDate {
  const date = parsePlainDate(cell);
  if (date === undefined) throw wrong(`"${cell}" is not a date`);
  return date;
}

/** Undefined for an empty cell. */
function numberIn(cell: string, wrong: Wrong): number | undefined {
  if (cell === '') return undefined;
  const value = Number(cell);
  if (!Number.isFinite(value)) throw wrong(`"${cell}" is not a number`);
  return value;
}
