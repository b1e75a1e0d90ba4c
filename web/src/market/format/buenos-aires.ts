/**
 * All times of the playground, like `hora`, are in Buenos Aires time, whatever the zone of the browser. Its
 * offset has not changed since 2009, and the playground shows no earlier times. `Intl` takes long at its first
 * use, so it would delay the first board.
 */
const offset = '-03:00';
const offsetMs = -3 * 3_600_000;

const weekdays = ['dom', 'lun', 'mar', 'mié', 'jue', 'vie', 'sáb'];

/** The time of an instant, to the second: `11:00:05`. */
export function formatClock(epochMs: number): string {
  return isoText(epochMs).slice(11, 19);
}

/** The calendar day of an instant in Buenos Aires: `2026-11-20`. */
export function buenosAiresDay(epochMs: number): string {
  return isoText(epochMs).slice(0, 10);
}

/**
 * The time of an instant, with the weekday if it is on another day: `11:00`, `lun 11:00`. The end of the
 * present day is `24:00`.
 */
export function formatInstant(epochMs: number, now: number): string {
  const time = isoText(epochMs).slice(11, 16);
  const today = buenosAiresDay(now);
  if (buenosAiresDay(epochMs) === today) return time;
  if (buenosAiresDay(epochMs - 1) === today) return '24:00';
  return `${weekdays[new Date(epochMs + offsetMs).getUTCDay()]} ${time}`;
}

/** The instant of the date and time of a quote, which are in Buenos Aires time (contract 2.1.2). */
export function quoteInstant(fecha: string, hora: string): number {
  return Date.parse(`${fecha}T${hora}${offset}`);
}

/** The time of an instant to the second, with its day if that is not today: `11:00:05`, `20/11 11:00:05`. */
export function formatMoment(epochMs: number, now: number): string {
  const day = buenosAiresDay(epochMs);
  if (day === buenosAiresDay(now)) return formatClock(epochMs);
  return `${day.slice(8)}/${day.slice(5, 7)} ${formatClock(epochMs)}`;
}

/** An instant as ISO 8601 writes it, in Buenos Aires time. */
function isoText(epochMs: number): string {
  return new Date(epochMs + offsetMs).toISOString();
}
