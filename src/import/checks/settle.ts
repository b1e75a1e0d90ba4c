import { isTimeZone } from '../../lib/time/time-zone.ts';
import { isEpoch, momentOf, type WrittenMoment } from '../cells/date-format.ts';
import { parseVolume, type Decimal } from '../cells/number-format.ts';
import { cellAt } from '../cells/table.ts';
import type { CloseDays } from '../closes/close-target.ts';
import { sampleCells } from '../layouts/layout.ts';
import type { BoundSeries } from '../names/binding.ts';
import { severalTimes, type SettledReading } from '../recognition/recognise.ts';
import { ImportRefusal, operatorKnows, optionText } from '../refusals/import-refusal.ts';

/** Maximum distance of a time of day from the usual one, in minutes. Closes are stamped within it. */
const toleranceMinutes = 15;

/** The change of local time when daylight saving begins or ends. */
const savingMinutes = 60;

/** Maximum number of minutes that a half day ends before the usual close. */
const halfDayMinutesMax = 270;

/** Maximum share of half days. A year has three in New York; a short table may have one of four. */
const halfDaysMax = 0.25;

/** Maximum number of minutes after the close in which a market stamps its daily bars. */
export const afterCloseMinutesMax = 60;

/**
 * Decides whose day the dates of a table are: the day that is written, or that of an instant in the
 * time zone of the operator (`--zone`) or of the market. One time of day for all rows is as written.
 * Several are of daily prices only if they agree: with daylight saving, and with half days.
 *
 * @throws {ImportRefusal} `not-prices` for several times of day, `ambiguous` for instants whose day
 *   depends on the time zone, and `option-mismatch` for a zone that does not fit.
 */
export function settleZone(
  reading: SettledReading,
  series: readonly BoundSeries[],
  requested: string | typeof operatorKnows | undefined,
): SettledReading {
  if (requested === operatorKnows) return reading;
  if (requested !== undefined) return inZone(reading, requested);
  const written = momentsOf(reading);
  const isOneTime = new Set(written.map(({ minute }) => minute)).size <= 1;
  const isMidnight = written.every(({ minute }) => minute === 0);
  if (isEpoch(reading.dateFormat) ? isMidnight : isOneTime) return reading;
  if (written.some(({ instant }) => instant === undefined)) {
    if (!areDaily(written, { savingMinutes })) throw severalTimes();
    return reading;
  }
  const days = marketsOf(reading, series);
  const [zone, ...others] = new Set(days.map(({ timeZone }) => timeZone));
  if (zone === undefined) return reading;
  const local = { ...reading, zone };
  const moments = momentsOf(local);
  const fits =
    others.length === 0 &&
    areDaily(moments, { savingMinutes: 0 }) &&
    moments.every((one) => days.every((calendar) => isOfSession(one, calendar)));
  if (fits) return local;
  if (!areDaily(written, { savingMinutes })) throw severalTimes();
  const [cell = ''] = sampleCells(reading.rows, [reading.date]);
  throw new ImportRefusal(
    'ambiguous',
    `the dates are instants, such as ${cell.trim()}, and their times of day do not show in which time ` +
      'zone they are days, such as America/New_York',
    { kind: 'choose-zone', suggestions: [{ zone: operatorKnows }] },
  );
}

function inZone(reading: SettledReading, zone: string): SettledReading {
  if (!isTimeZone(zone)) {
    const message = `"${zone}" is no time zone; use an IANA name, such as America/New_York`;
    throw new ImportRefusal('option-mismatch', message);
  }
  const local = { ...reading, zone };
  const moments = momentsOf(local);
  const [cell = ''] = sampleCells(reading.rows, [reading.date]);
  if (moments.length === 0) {
    throw new ImportRefusal(
      'option-mismatch',
      `${optionText('zone', zone)} does not fit: the dates, such as ${cell.trim()}, have no offset from UTC`,
      { kind: 'leave-out-zone', suggestions: [{ zone: null }] },
    );
  }
  if (!areDaily(moments, { savingMinutes })) throw severalTimes();
  return local;
}

function momentsOf(reading: SettledReading): readonly WrittenMoment[] {
  const cells = sampleCells(reading.rows, [reading.date]);
  return cells.flatMap((cell) => momentOf(cell, reading) ?? []);
}

/** The days of the markets of all instruments in the first rows. */
function marketsOf({ rows }: SettledReading, series: readonly BoundSeries[]): readonly CloseDays[] {
  const days = series.flatMap(({ nameOf, targetOf }) =>
    rows.slice(0, nameOf === undefined ? 1 : undefined).flatMap((row) => targetOf(row)?.days ?? []),
  );
  return [...new Set(days)];
}

/**
 * Whether times of day are those of daily prices: near the usual one, apart from it by the change of
 * daylight saving, or earlier on a few half days.
 */
function areDaily(
  moments: readonly WrittenMoment[],
  saving: { readonly savingMinutes: number },
): boolean {
  const counts = new Map<number, number>();
  for (const { minute } of moments) counts.set(minute, (counts.get(minute) ?? 0) + 1);
  const [[usual] = [0]] = [...counts].toSorted(([, a], [, b]) => b - a);
  let halfDays = 0;
  for (const { minute } of moments) {
    const shift = Math.abs(minute - usual);
    if (isNear(shift, 0) || isNear(shift, saving.savingMinutes)) continue;
    if (minute > usual || shift > halfDayMinutesMax) return false;
    halfDays += 1;
  }
  return halfDays <= moments.length * halfDaysMax;
}

function isNear(minute: number, other: number): boolean {
  return Math.abs(minute - other) <= toleranceMinutes;
}

/** Whether a market stamps the price of a day so: at midnight, or from the open to after the close. */
function isOfSession({ day, minute }: WrittenMoment, calendar: CloseDays): boolean {
  const { openMinute, closeMinute } = calendar.hoursOf(day);
  return minute === 0 || (minute >= openMinute && minute <= closeMinute + afterCloseMinutesMax);
}

/**
 * The decimal sign of each column of volumes whose sign is not that of the prices. Some sources write
 * prices with a decimal point, and volumes with points between thousands: `10.5` and `1.234.567`.
 *
 * @throws {ImportRefusal} `ambiguous` when the volumes of a column need both signs, or when they may be
 *   thousands or fractions.
 */
export function settleVolumes(
  reading: SettledReading,
  series: readonly BoundSeries[],
  requested: Decimal | undefined,
): ReadonlyMap<number, Decimal> {
  const signs = new Map<number, Decimal>();
  for (const { columns, nameOf, targetOf } of series) {
    const { volume } = columns;
    const hasVolume = nameOf !== undefined || targetOf([])?.hasVolume === true;
    if (volume === undefined || !hasVolume || signs.has(volume)) continue;
    signs.set(volume, settleColumn(reading, volume, requested));
  }
  return signs;
}

function settleColumn(
  { rows, decimal, usualDecimal }: SettledReading,
  column: number,
  requested: Decimal | undefined,
): Decimal {
  const first: { '.'?: string; ','?: string; unclear?: string } = {};
  for (const row of rows) {
    const cell = cellAt(row, column).trim();
    const [point, comma] = [parseVolume(cell, '.'), parseVolume(cell, ',')];
    if (point === comma || (Number.isNaN(point) && Number.isNaN(comma))) continue;
    if (Number.isNaN(comma)) first['.'] ??= cell;
    else if (Number.isNaN(point)) first[','] ??= cell;
    else first.unclear ??= cell;
  }
  const { '.': point, ',': comma, unclear } = first;
  if (point !== undefined && comma !== undefined) {
    throw new ImportRefusal(
      'ambiguous',
      `the volumes "${point}" and "${comma}" have different decimal signs; write them in one way`,
    );
  }
  if (point !== undefined) return '.';
  if (comma !== undefined) return ',';
  const settled = requested ?? usualDecimal;
  if (unclear === undefined || settled !== undefined) return settled ?? decimal;
  const asWritten = parseVolume(unclear, decimal);
  // Thousands in the way of the prices: `1,234` beside `10.5`.
  if (Number.isInteger(asWritten)) return decimal;
  const asThousands = parseVolume(unclear, decimal === '.' ? ',' : '.');
  throw new ImportRefusal(
    'ambiguous',
    `the volume "${unclear}" may be ${asWritten} or ${asThousands}, and no other volume decides`,
    { kind: 'confirm-volume', suggestions: [{ decimal }] },
  );
}
