/** The time zone of the days on which keys expire. */
const timeZone = 'America/Argentina/Buenos_Aires';

/** The end of the last day on which a key is valid, in epoch milliseconds: the day itself is included. */
export function endOfExpiryDay(day: Temporal.PlainDate): number {
  return day.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** The day in which an instant is, in epoch milliseconds. */
export function expiryDayOf(now: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
}
