const msPerSecond = 1_000;
const secondsPerDay = 86_400;

/** The serial number of the day that does not exist: Excel takes 1900 for a leap year. */
const noDay = 60;

/** The last day that a workbook can have, 31 December 9999, in the system of 1900. */
const serialMax = 2_958_465;

/**
 * The date of a serial number as `YYYY-MM-DD`, with ` HH:MM:SS` if it has a time. The system of 1900 counts
 * 1 January 1900 as 1, the one of 1904 counts 1 January 1904 as 0. Undefined for a number that is no date.
 */
export function dateOfSerial(serial: number, is1904: boolean): string | undefined {
  if (!(serial >= 0) || serial > serialMax) return undefined;
  // A fraction of a day is rounded to seconds, because it has no exact binary value.
  const seconds = Math.round(serial * secondsPerDay);
  const days = Math.floor(seconds / secondsPerDay);
  if (!is1904 && (days === noDay || days === 0)) return undefined;
  const before = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < noDay ? 31 : 30);
  const text = new Date(before + seconds * msPerSecond).toISOString();
  const date = text.slice(0, 10);
  return seconds % secondsPerDay === 0 ? date : `${date} ${text.slice(11, 19)}`;
}
