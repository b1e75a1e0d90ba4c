/** The obsolete formats of a date, which a recipient must still accept. */
const rfc850 = /^(\w{3})\w{3,6}, (\d{2})-(\w{3})-(\d{2}) (\d{2}:\d{2}:\d{2}) GMT$/;
const asctime = /^(\w{3}) (\w{3}) ([ \d]\d) (\d{2}:\d{2}:\d{2}) (\d{4})$/;

const weekdays: ReadonlySet<string> = new Set([
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
]);

/** Maximum number of years by which a two-digit year may lie in the future. */
const futureYearsMax = 50;

/**
 * The instant of an HTTP date, in epoch milliseconds. Undefined for any other text, and for a date
 * that does not exist.
 *
 * @param now in epoch milliseconds. A two-digit year is read relative to it.
 *
 * Source: RFC 9110 5.6.7.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  return fromFixed(text) ?? fromRfc850(text, now) ?? fromAsctime(text);
}

/** Parses the preferred format. `Date.parse` accepts more, so the text must match its rendering. */
function fromFixed(text: string): number | undefined {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toUTCString() === text ? at : undefined;
}

function fromRfc850(text: string, now: number): number | undefined {
  const [, weekday = '', day, month, shortYear, time] = rfc850.exec(text) ?? [];
  if (shortYear === undefined || !weekdays.has(text.slice(0, text.indexOf(',')))) {
    return undefined;
  }
  const thisYear = new Date(now).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + Number(shortYear);
  const year = inThisCentury > thisYear + futureYearsMax ? inThisCentury - 100 : inThisCentury;
  return fromFixed(`${weekday}, ${day} ${month} ${year} ${time} GMT`);
}

function fromAsctime(text: string): number | undefined {
  const [, weekday, month, day, time, year] = asctime.exec(text) ?? [];
  return day === undefined
    ? undefined
    : fromFixed(`${weekday}, ${day.replace(' ', '0')} ${month} ${year} ${time} GMT`);
}
