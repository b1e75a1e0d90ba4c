import type { SymbolInfo } from './datafeed.ts';

/** The hours of a market are those of Buenos Aires here, which are three hours behind UTC. */
const offsetSeconds = 3 * 3_600;

/**
 * The starts of all bars of an interval in the session of a day, in seconds, as the charting library computes
 * them from a symbol. There are none on a holiday, and on another day of the week.
 *
 * @param date as `YYYYMMDD`.
 */
export function sessionSlots(symbol: SymbolInfo, date: string, minutes: number): readonly number[] {
  const iso = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  const midnight = Date.parse(`${iso}T00:00:00Z`) / 1000 + offsetSeconds;
  const [usual = '', days = ''] = symbol.session.split(':');
  const weekday = new Date(`${iso}T00:00:00Z`).getUTCDay() + 1;
  const holidays = (symbol.session_holidays ?? '').split(',');
  if (!days.includes(String(weekday)) || holidays.includes(date)) return [];
  const correction = (symbol.corrections ?? '').split(';').find((one) => one.endsWith(`:${date}`));
  const [open = 0, close = 0] = (correction?.split(':')[0] ?? usual).split('-').map(minuteOf);
  const count = Math.ceil((close - open) / minutes);
  return Array.from({ length: count }, (_, slot) => midnight + (open + slot * minutes) * 60);
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(2));
}
