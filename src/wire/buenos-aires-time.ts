const msPerQuarter = 15 * 60_000;
const msPerDay = 86_400_000;

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

const fields = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Argentina/Buenos_Aires',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

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
  const local = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of fields.formatToParts(instant)) {
    if (type in local) local[type as keyof typeof local] = Number(value);
  }
  const { year, month, day, hour, minute, second } = local;
  return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
}
