/** Whether a text is a time zone: an IANA name such as `America/New_York`, or an offset. */
export function isTimeZone(text: string): boolean {
  try {
    // Of the classes that know time zones, this one loads least.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    return true;
  } catch {
    return false;
  }
}
