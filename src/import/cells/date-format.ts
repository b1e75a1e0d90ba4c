import {
  epochDayOf,
  isCalendarDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';

/**
 * The known formats of dates. The separators `-`, `/`, `.` and space are equivalent. `MON` is the
 * name of a month in English or Spanish. `EPOCH-S`, `EPOCH-MS`, `EPOCH-US` and `EPOCH-NS` are seconds,
 * milliseconds, microseconds and nanoseconds since 1970 in UTC.
 */
export const dateFormats = [
  'YYYY-MM-DD',
  'YYYYMMDD',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD/MM/YY',
  'MM/DD/YY',
  'YY-MM-DD',
  'DD-MON-YYYY',
  'MON-DD-YYYY',
  'YYYY-MON-DD',
  'EPOCH-S',
  'EPOCH-MS',
  'EPOCH-US',
  'EPOCH-NS',
] as const;

/** One of {@link dateFormats}. */
export type DateFormat = (typeof dateFormats)[number];

/** Milliseconds in the unit of a format that counts them. */
const epochUnits = { 'EPOCH-S': 1e3, 'EPOCH-MS': 1, 'EPOCH-US': 1e-3, 'EPOCH-NS': 1e-6 } as const;
type EpochFormat = keyof typeof epochUnits;
const epochFormats = Object.keys(epochUnits) as EpochFormat[];

/** The number of digits that the seconds of a day between 1973 and 2286 have. */
const secondsDigits = [9, 10] as const;

/** Two-digit years from this one on are in the 20th century: 69 is 1969, and 68 is 2068. */
const firstYearOf1900s = 69;

/** The pattern of each format, with groups for the three parts and the rest of the cell. */
const shapes: Readonly<Record<Exclude<DateFormat, EpochFormat>, RegExp>> = {
  'YYYY-MM-DD': /^\s*(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)(?<rest>.*)$/,
  YYYYMMDD: /^\s*(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?!\d)(?<rest>.*)$/,
  'DD/MM/YYYY': /^\s*(?<day>\d{1,2})[-/.](?<month>\d{1,2})[-/.](?<year>\d{4})(?!\d)(?<rest>.*)$/,
  'MM/DD/YYYY': /^\s*(?<month>\d{1,2})[-/.](?<day>\d{1,2})[-/.](?<year>\d{4})(?!\d)(?<rest>.*)$/,
  'DD/MM/YY': /^\s*(?<day>\d{1,2})[-/.](?<month>\d{1,2})[-/.](?<year>\d{2})(?!\d)(?<rest>.*)$/,
  'MM/DD/YY': /^\s*(?<month>\d{1,2})[-/.](?<day>\d{1,2})[-/.](?<year>\d{2})(?!\d)(?<rest>.*)$/,
  'YY-MM-DD': /^\s*(?<year>\d{2})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)(?<rest>.*)$/,
  // "7 de septiembre de 2020", "07-sep-2020", "7/Sept./20"
  'DD-MON-YYYY':
    /^\s*(?<day>\d{1,2})(?:[-/. ]| de )\s*(?<month>\p{L}{3,10})\.?(?:[-/. ]| de )\s*(?<year>\d{4}|\d{2})(?!\d)(?<rest>.*)$/u,
  'MON-DD-YYYY':
    /^\s*(?<month>\p{L}{3,10})\.?[-/. ]\s*(?<day>\d{1,2})(?:,|[-/. ])\s*(?<year>\d{4})(?!\d)(?<rest>.*)$/u,
  'YYYY-MON-DD':
    /^\s*(?<year>\d{4})[-/. ]\s*(?<month>\p{L}{3,10})\.?[-/. ]\s*(?<day>\d{1,2})(?!\d)(?<rest>.*)$/u,
};
const timeOfDay =
  /^(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([AP]M)?\s*(Z|UTC|[-+]\d{2}:?\d{2})?)?\s*$/i;
const msPerMinute = 60_000;
const minutesPerDay = 1_440;
/** The first instant of the year 2100. A later one is of another unit. */
const latestInstant = Date.UTC(2100, 0, 1);

/** What a cell of dates says: a day and perhaps a time, as written, and perhaps an instant. */
export interface WrittenMoment {
  readonly day: EpochDay;
  /** Minutes since midnight. 0 for a date without a time. */
  readonly minute: number;
  /** In epoch milliseconds, where the cell says its offset from UTC. */
  readonly instant?: number;
}

/**
 * Parses a date. Undefined when the cell has another format or the day does not exist. The day is the
 * one that is written, whatever the time and the offset.
 */
export function parseDate(cell: string, format: DateFormat): EpochDay | undefined {
  return isEpoch(format) ? epochMoment(cell, format)?.day : partsIn(cell, format)?.day;
}

/** As {@link parseDate}, with the time of day. Undefined also for a time that does not exist. */
export function parseMoment(cell: string, format: DateFormat): WrittenMoment | undefined {
  if (isEpoch(format)) return epochMoment(cell, format);
  const parts = partsIn(cell, format);
  if (parts === undefined) return undefined;
  const { day, rest } = parts;
  const [, hours = '0', minutes = '0', , half = '', offset] = timeOfDay.exec(rest) ?? [];
  const minute = hourOf(Number(hours), half.toUpperCase()) * 60 + Number(minutes);
  if (!(minute < minutesPerDay) || Number(minutes) > 59) return undefined;
  if (offset === undefined) return { day, minute };
  const instant = (day * minutesPerDay + minute - offsetMinutes(offset)) * msPerMinute;
  return { day, minute, instant };
}

/** Whether a format counts seconds or fractions of them. Its day is that of UTC. */
export function isEpoch(format: DateFormat): format is EpochFormat {
  return Object.hasOwn(epochUnits, format);
}

/**
 * Whether a cell has as many digits as an epoch of this format since 1973. Fewer digits may be anything
 * else: `20240229` is a date.
 */
export function looksLikeEpoch(cell: string, format: EpochFormat): boolean {
  const digits = /^\s*(\d+)(?:\.0+)?\s*$/.exec(cell)?.[1] ?? '';
  const more = digits.length - 3 * epochFormats.indexOf(format);
  return more >= secondsDigits[0] && more <= secondsDigits[1];
}

function epochMoment(cell: string, format: EpochFormat): WrittenMoment | undefined {
  const [, digits] = /^\s*(-?\d{1,19})(?:\.0+)?\s*$/.exec(cell) ?? [];
  if (digits === undefined) return undefined;
  const instant = Math.floor(Number(digits) * epochUnits[format]);
  if (Math.abs(instant) > latestInstant) return undefined;
  const minutes = Math.floor(instant / msPerMinute);
  const day = Math.floor(minutes / minutesPerDay) as EpochDay;
  return { day, minute: minutes - day * minutesPerDay, instant };
}

function partsIn(
  cell: string,
  format: Exclude<DateFormat, EpochFormat>,
): { readonly day: EpochDay; readonly rest: string } | undefined {
  const parts = shapes[format].exec(cell)?.groups;
  if (parts === undefined) return undefined;
  const { year: ofYear = '', month: ofMonth = '', day: ofDay, rest = '' } = parts;
  if (!timeOfDay.test(rest)) return undefined;
  const [year, month, day] = [yearOf(ofYear), monthOf(ofMonth), Number(ofDay)];
  return isCalendarDay(year, month, day) ? { day: epochDayOf(year, month, day), rest } : undefined;
}

/** The hour of a clock of 24 hours. Above 23 for an hour that a clock of 12 hours does not have. */
function hourOf(hour: number, half: string): number {
  if (half === '') return hour;
  if (hour < 1 || hour > 12) return 24;
  return (hour % 12) + (half === 'PM' ? 12 : 0);
}

function offsetMinutes(offset: string): number {
  const [, sign, hours, minutes] = /^([-+])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -size : size;
}

/** Whether a cell is a date in any of {@link dateFormats} that has a year, a month and a day. */
export function isDate(cell: string): boolean {
  return dateFormats.some((format) => !isEpoch(format) && parseDate(cell, format) !== undefined);
}

/** Whether a cell is a date in any format, or has as many digits as an epoch. */
export function isDateOrEpoch(cell: string): boolean {
  return isDate(cell) || isEpochCell(cell);
}

/** Whether a cell has as many digits as an epoch in any unit. */
export function isEpochCell(cell: string): boolean {
  return epochFormats.some((format) => looksLikeEpoch(cell, format));
}

function yearOf(text: string): number {
  const year = Number(text);
  if (text.length !== 2) return year;
  return year < firstYearOf1900s ? 2000 + year : 1900 + year;
}

function monthOf(text: string): number {
  const month = Number(text);
  // A month of 0 does not exist: it stands for an unknown name.
  return Number.isNaN(month) ? (monthOfName(text) ?? 0) : month;
}

/** How a cell becomes a day. */
export interface DayRule {
  readonly dateFormat: DateFormat;
  /** The time zone whose day an instant is of. Undefined: the day is the one that is written. */
  readonly zone?: string | undefined;
}

const minutesPerHour = 60;

/**
 * The day of a cell. Undefined when it has another format, when the day does not exist, and with a
 * zone when it is no instant.
 */
export function dayOf(cell: string, { dateFormat, zone }: DayRule): EpochDay | undefined {
  return zone === undefined
    ? parseDate(cell, dateFormat)
    : momentOf(cell, { dateFormat, zone })?.day;
}

/** As {@link dayOf}, with the time of day in the same time zone. */
export function momentOf(cell: string, { dateFormat, zone }: DayRule): WrittenMoment | undefined {
  const moment = parseMoment(cell, dateFormat);
  if (zone === undefined || moment === undefined) return moment;
  const { instant } = moment;
  if (instant === undefined) return undefined;
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  const day = toEpochDay(local.toPlainDate().toString() as PlainDate);
  return { day, minute: local.hour * minutesPerHour + local.minute, instant };
}

const months = new Map([
  ['set', 9],
  ['sept', 9],
  ['setiembre', 9],
]);

/**
 * The number of a month, from 1, for its English or Spanish name or usual abbreviation in any case:
 * `sep`, `set`, `Sept`, `septiembre`. Undefined for any other word.
 */
export function monthOfName(name: string): number | undefined {
  if (!months.has('enero')) addMonths();
  return months.get(name.toLowerCase());
}

/** Adds the names of the months, and their first three letters. */
function addMonths(): void {
  for (const language of ['en', 'es']) {
    const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    for (let month = 1; month <= 12; month += 1) {
      const name = format.format(Date.UTC(2000, month - 1)).toLowerCase();
      months.set(name, month).set(name.slice(0, 3), month);
    }
  }
}
