import { isCloseSource } from '../../domain/history/close-source.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import { changeOrigins, type StoreChange } from '../../domain/changes/version.ts';
import type { CloseVersion } from '../../domain/history/versions.ts';
import { parsePlainDate, toEpochDay } from '../../domain/calendar/plain-date.ts';
import { cellAt, type Row } from '../cells/table.ts';
import { changesHeader } from './changes-export.ts';

/** What is wrong with a row of an export with changes. */
export class VersionFault extends Error {}

/**
 * Reads a row of an export with changes, exactly as it was stored.
 *
 * @throws {VersionFault} when the row is not one that an export writes.
 */
export function readVersion(row: Row): CloseVersion {
  const cell = (column: (typeof changesHeader)[number]): string =>
    cellAt(row, changesHeader.indexOf(column)).trim();
  const date = parsePlainDate(cell('date'));
  if (date === undefined) throw new VersionFault(`"${cell('date')}" is not a date`);
  const close = numberIn(cell('close'));
  if (close === undefined) throw new VersionFault('the close is missing');
  const stored = changeIn(cell('stored_at'), cell('stored_by'));
  if (stored === undefined) throw new VersionFault('stored_at is missing');
  const source = cell('source');
  if (source !== '' && !isCloseSource(source)) {
    throw new VersionFault(`"${source}" is not a source`);
  }
  const [open, high, low] = (['open', 'high', 'low'] as const).map((name) => numberIn(cell(name)));
  const value: DailyClose = {
    day: toEpochDay(date),
    close,
    volume: numberIn(cell('volume')) ?? null,
    ...(open !== undefined && { open }),
    ...(high !== undefined && { high }),
    ...(low !== undefined && { low }),
    ...(source !== '' && { source }),
  };
  const replaced = changeIn(cell('replaced_at'), cell('replaced_by'));
  return { value, stored, ...(replaced !== undefined && { replaced }) };
}

/** Undefined for an empty cell. */
function numberIn(cell: string): number | undefined {
  if (cell === '') return undefined;
  const value = Number(cell);
  if (!Number.isFinite(value)) throw new VersionFault(`"${cell}" is not a number`);
  return value;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Undefined for empty cells. */
function changeIn(atCell: string, originCell: string): StoreChange | undefined {
  if (atCell === '' && originCell === '') return undefined;
  const at = instant.test(atCell) ? Date.parse(atCell) : Number.NaN;
  if (Number.isNaN(at)) throw new VersionFault(`"${atCell}" is not an instant`);
  const origin = changeOrigins.find((one) => one === originCell);
  if (origin === undefined) {
    throw new VersionFault(
      `"${originCell}" is not the origin of a change (${changeOrigins.join(', ')})`,
    );
  }
  return { at, origin };
}
