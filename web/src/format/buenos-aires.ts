/** Every time on these pages is Buenos Aires time, as `hora` is, wherever the browser stands. */
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
// The Swedish form of a date is the one of ISO 8601.
const isoDay = new Intl.DateTimeFormat('sv-SE', { timeZone });

/** The calendar day of an instant in Buenos Aires: `2026-11-20`. */
export function buenosAiresDay(epochMs: number): string {
  return isoDay.format(epochMs);
}

/** The time of an instant, with the weekday when it is not of the same day: `11:00`, `lun 11:00`. */
export function formatInstant(epochMs: number, now: number): string {
  const isSameDay = buenosAiresDay(epochMs) === buenosAiresDay(now);
  return (isSameDay ? clockTime : weekdayAndTime).format(epochMs).replace(',', '');
}

/** The instant of a quote's date and time, which the contract gives in Buenos Aires time. */
export function quoteInstant(fecha: string, hora: string): number {
  // Buenos Aires has had one offset since 2009, and only present times are compared.
  return Date.parse(`${fecha}T${hora}-03:00`);
}
