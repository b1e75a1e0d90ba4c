import { markets } from '../health-watch.ts';
import { buenosAiresDay, formatClock } from '../format/buenos-aires.ts';
import { instruments } from '../instruments.ts';
import { dayMinutes, minuteOf, stepsMax, type SessionPath } from './session-path.ts';

/**
 * When the session of a day ends, in seconds of the time in Buenos Aires read as UTC, as charts have it. Undefined
 * unless the market of the instrument is in that session.
 */
export function sessionEnd(ticker: string, day: string | undefined): number | undefined {
  const market = markets.value.get(instruments.value.get(ticker)?.mercado ?? '');
  if (market?.estado !== 'abierto' || market.rueda !== day) return undefined;
  const end = Date.parse(market.cambia);
  return Date.parse(`${buenosAiresDay(end)}T${formatClock(end)}Z`) / 1_000;
}

/** The number of steps of the whole session of a path, so that an early session is not stretched. Zero if unknown. */
export function sessionSteps(
  ticker: string,
  { day, openMinute, stepMinutes }: Pick<SessionPath, 'day' | 'openMinute' | 'stepMinutes'>,
): number {
  const end = sessionEnd(ticker, day);
  if (end === undefined) return 0;
  const endMinute = minuteOf(new Date(end * 1_000).toISOString().slice(11, 19));
  const minutes = (endMinute - openMinute + dayMinutes) % dayMinutes || dayMinutes;
  return Math.min(stepsMax, Math.ceil(minutes / stepMinutes));
}
