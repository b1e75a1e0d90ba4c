/**
 * All times of the playground, like `hora`, are in Buenos Aires time, whatever the zone of the
 * browser.
 */
const timeZone = 'America/Argentina/Buenos_Aires';
const locale = 'es-AR';

const clockTime = new Intl.DateTimeFormat(locale, {
  timeZone,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const weekdayAndTime = new Intl.DateTimeFormat(locale, {
  timeZone,
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
// The Swedish locale formats a date as in ISO 8601.
const isoDay = new Intl.DateTimeFormat('sv-SE', { timeZone });

const clockSeconds = new Intl.DateTimeFormat(locale, {
  timeZone,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** The time of an instant, to the second: `11:00:05`. */
export function formatClock(epochMs: number): string {
  return clockSeconds.format(epochMs);
}

/** The calendar day of an instant in Buenos Aires: `2026-11-20`. */
export function buenosAiresDay(epochMs: number): string {
  return isoDay.format(epochMs);
}

/** The time of an instant, with the weekday if it is on another day: `11:00`, `lun 11:00`. */
export function formatInstant(epochMs: number, now: number): string {
  const isSameDay = buenosAiresDay(epochMs) === buenosAiresDay(now);
  return (isSameDay ? clockTime : weekdayAndTime).format(epochMs).replace(',', '');
}

/** The instant of the date and time of a quote, which are in Buenos Aires time (contract 2.1.2). */
export function quoteInstant(fecha: string, hora: string): number {
  // The offset of Buenos Aires has not changed since 2009, and only current times are compared.
  return Date.parse(`${fecha}T${hora}-03:00`);
}

/** The time of an instant to the second, with its day if that is not today: `11:00:05`, `20/11 11:00:05`. */
export function formatMoment(epochMs: number, now: number): string {
  const day = buenosAiresDay(epochMs);
  if (day === buenosAiresDay(now)) return formatClock(epochMs);
  return `${day.slice(8)}/${day.slice(5, 7)} ${formatClock(epochMs)}`;
}
