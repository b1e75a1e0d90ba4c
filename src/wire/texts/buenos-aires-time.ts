import { type EpochDay, msPerDay } from '../../domain/calendar/plain-date.ts';

const msPerQuarter = 15 * 60_000;
const nanosecondsPerMs = 1_000_000;
const timeZone = 'America/Argentina/Buenos_Aires';

/**
 * The time of day in Buenos Aires, `HH:MM:SS`, at an instant in epoch milliseconds
 * (contract 2.1.2).
 *
 * The offset comes from the time zone database, because Argentina has changed it by decree several
 * times (last in 2009). Reading it is slow. It changes only at a full quarter of an hour, and
 * quotes arrive in order of time, so the offset of the latest quarter is cached.
 */
export function buenosAiresTime(instant: number): string {
  const local = instant + offsetAt(instant);
  // Before 1970 the remainder is negative: the same time of day, on the last day of 1969.
  return new Date(local % msPerDay).toISOString().slice(11, 19);
}

/** The day in Buenos Aires at an instant in epoch milliseconds. */
export function buenosAiresDay(instant: number): EpochDay {
  return Math.floor((instant + offsetAt(instant)) / msPerDay) as EpochDay;
}

let knownQuarter = Number.NaN;
let knownOffset = 0;

function offsetAt(instant: number): number {
  const quarter = Math.floor(instant / msPerQuarter);
  if (quarter !== knownQuarter) {
    knownOffset = readOffset(quarter * msPerQuarter);
    knownQuarter = quarter;
  }
  return knownOffset;
}

function readOffset(instant: number): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  return zoned.offsetNanoseconds / nanosecondsPerMs;
}
