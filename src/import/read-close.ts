import type { DailyClose } from '../domain/daily-close.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import type { CloseTarget } from './close-target.ts';
import { parseNumber, parseVolume } from './cells/number-format.ts';
import type { Decimal } from './cells/number-format.ts';
import type { SeriesColumns } from './layouts/layout.ts';
import type { Row } from './cells/table.ts';

/** Why a row is no close. */
export const rejectReasons = {
  'no-date': 'no such date',
  'no-number': 'the close is not a number',
  'not-positive': 'the close is zero or negative, and this kind of instrument has a price',
  future: 'the date is in the future',
  'session-open': 'the session of that day is not over',
  'no-session': 'a weekend or a holiday on that market',
  'unknown-ticker': 'the universe has no such instrument',
  repeated: 'another close of the same day came before it in this file, and is kept',
  omitted: 'left out by its layout',
} as const;

/** One of {@link rejectReasons}. */
export type RejectReason = keyof typeof rejectReasons;

/** How cells are to be read as numbers. */
export interface CellRules {
  readonly decimal: Decimal;
  /** What values are divided by. */
  readonly scale: number;
}

/** The day of a close, when one is possible on it; otherwise the reason against it. */
export function checkDay(day: EpochDay, { days }: CloseTarget): RejectReason | undefined {
  if (day > days.lastOver) return day > days.today ? 'future' : 'session-open';
  return days.isSession(day) ? undefined : 'no-session';
}

/**
 * The close that a row holds, as the source wrote it: not rounded, not adjusted. Open, high, low and
 * volume are kept where they are numbers that can be; they never cost the row its close.
 */
export function readClose(
  row: Row,
  columns: SeriesColumns,
  day: EpochDay,
  target: CloseTarget,
  rules: CellRules,
): DailyClose | RejectReason {
  const cell = parseNumber(row[columns.close] ?? '', rules.decimal) / rules.scale;
  if (Number.isNaN(cell)) return 'no-number';
  // A rate may be printed as -0, which no answer is ever to show.
  const close = cell === 0 ? 0 : cell;
  if (target.isPrice && close <= 0) return 'not-positive';
  const open = side(row, columns.open, target, rules);
  const high = side(row, columns.high, target, rules);
  const low = side(row, columns.low, target, rules);
  const volume = volumeOf(row, columns.volume, target, rules);
  if (open !== undefined && high !== undefined && low !== undefined) {
    return { day, close, volume, open, high, low };
  }
  return {
    day,
    close,
    volume,
    ...(open !== undefined && { open }),
    ...(high !== undefined && { high }),
    ...(low !== undefined && { low }),
  };
}

/** Whether a close lies outside the day's own low and high: possible, and worth a look. */
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
  const value = parseNumber(row[column] ?? '', decimal) / scale;
  return Number.isNaN(value) || (isPrice && value <= 0) ? undefined : value;
}

function volumeOf(
  row: Row,
  column: number | undefined,
  { hasVolume }: CloseTarget,
  { decimal }: CellRules,
): number | null {
  if (column === undefined || !hasVolume) return null;
  const value = parseVolume(row[column] ?? '', decimal);
  return value >= 0 ? value : null;
}
