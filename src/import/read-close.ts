import type { DailyClose } from '../domain/daily-close.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import { isCloseSource } from '../domain/close-source.ts';
import type { CloseTarget } from './close-target.ts';
import { parseNumber, parseVolume } from './cells/number-format.ts';
import type { Decimal } from './cells/number-format.ts';
import type { SeriesColumns } from './layouts/layout.ts';
import { cellAt } from './cells/table.ts';
import type { Row } from './cells/table.ts';

/** Why a row is rejected. The texts appear in the summary and in the file of rejected rows. */
export const rejectReasons = {
  'no-date': 'not a valid date',
  'no-number': 'the close is not a number',
  'not-positive':
    'the close is zero or negative, and this kind of instrument only has prices above zero',
  future: 'the date is in the future',
  'session-open': 'the session of that day is not over',
  'no-session': 'a weekend or a holiday of the market',
  'unknown-ticker': 'the instrument is not in the universe',
  repeated: 'the file has an earlier close of the same day, which is kept',
  'bad-source':
    'the source is not one that "export" writes: at most 200 characters, the first a letter or a digit',
  omitted: 'skipped by the layout',
} as const;

/** One of {@link rejectReasons}. */
export type RejectReason = keyof typeof rejectReasons;

/** How cells are parsed as numbers. */
export interface CellRules {
  readonly decimal: Decimal;
  /** The divisor of all prices. */
  readonly scale: number;
  /** The source of the closes of a table that has no column for it. */
  readonly source: string;
}

/** The reason why a target cannot have a close on a day, or undefined when it can. */
export function checkDay(day: EpochDay, { days }: CloseTarget): RejectReason | undefined {
  if (day > days.lastOver) return day > days.today ? 'future' : 'session-open';
  return days.isSession(day) ? undefined : 'no-session';
}

/**
 * Reads the close of a row, as the source wrote it: not rounded and not adjusted. Open, high, low
 * and volume are read where they are valid; an invalid one does not reject the row.
 */
export function readClose(
  row: Row,
  columns: SeriesColumns,
  day: EpochDay,
  target: CloseTarget,
  rules: CellRules,
): DailyClose | RejectReason {
  const cell = parseNumber(cellAt(row, columns.close), rules.decimal) / rules.scale;
  if (Number.isNaN(cell)) return 'no-number';
  // A file may have -0 for a rate, which no response may show (contract 2.1.3).
  const close = cell === 0 ? 0 : cell;
  if (target.isPrice && close <= 0) return 'not-positive';
  const open = side(row, columns.open, target, rules);
  const high = side(row, columns.high, target, rules);
  const low = side(row, columns.low, target, rules);
  const volume = volumeOf(row, columns.volume, target, rules);
  const source = sourceOf(row, columns.source, rules);
  if (source !== undefined && source !== rules.source && !isCloseSource(source)) {
    return 'bad-source';
  }
  if (source !== undefined && open !== undefined && high !== undefined && low !== undefined) {
    return { day, close, volume, open, high, low, source };
  }
  return {
    day,
    close,
    volume,
    ...(open !== undefined && { open }),
    ...(high !== undefined && { high }),
    ...(low !== undefined && { low }),
    ...(source !== undefined && { source }),
  };
}

/** The source of a row. Undefined for an empty cell: the close was stored before sources were. */
function sourceOf(row: Row, column: number | undefined, rules: CellRules): string | undefined {
  if (column === undefined) return rules.source;
  const text = cellAt(row, column).trim();
  return text === '' ? undefined : text;
}

/** Whether a close is outside its own low and high. It is stored and reported as suspicious. */
export function isOutOfRange({ close, high, low }: DailyClose): boolean {
  return (high !== undefined && close > high) || (low !== undefined && close < low);
}

function side(
  row: Row,
  column: number | undefined,
  { isPrice }: CloseTarget,
  { decimal, scale }: CellRules,
): number | undefined {
  if (column === undefined) return undefined;
  const value = parseNumber(cellAt(row, column), decimal) / scale;
  return Number.isNaN(value) || (isPrice && value <= 0) ? undefined : value;
}

function volumeOf(
  row: Row,
  column: number | undefined,
  { hasVolume }: CloseTarget,
  { decimal }: CellRules,
): number | null {
  if (column === undefined || !hasVolume) return null;
  const value = parseVolume(cellAt(row, column), decimal);
  return value >= 0 ? value : null;
}
