const msPerQuarter = 15 * 60_000;
const msPerDay = 86_400_000;

/**
 * The time of day in Buenos Aires, `HH:MM:SS`, at an instant in epoch milliseconds.
 *
 * The offset comes from the time zone database, because Argentina has changed it by decree more than
 * once (last in 2009) and may again. Asking for it is slow; it only ever changes on a quarter of an
 * hour, and quotes come in order of time, so the offset of the quarter last asked for is kept.
 *
 * Source: decisions row 18.
 */
export function buenosAiresTime(instant: number): string {
  const local = instant + offsetAt(instant);
  // Before 1970 the rest is negative, and an instant of the day before: its time of day is the same.
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
