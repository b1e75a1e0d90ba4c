import assert from 'node:assert/strict';
import { parsePlainDate } from '../../../src/domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../../src/domain/calendar/session-calendar.ts';
import { sketchMarkets } from '../../support/market/make-universe.ts';

/** Whole sessions. Otherwise the first part of one. */
export const isLong = process.env['SOAK'] === 'long';
export const seed = Number(process.env['SOAK_SEED'] ?? 1);

export const minuteMs = 60_000;

/** The day of the session. */
export const date = parsePlainDate('2026-11-20') ?? assert.fail();
const calendar = new SessionCalendar(sketchMarkets.get('BYMA') ?? assert.fail('no market'));
export const [opensAt, closesAt] = [calendar.opensAt(date), calendar.closesAt(date)];

/** The delay of the sources that are delayed, in milliseconds. */
export const delayMs = 20 * minuteMs;

/** The time of day of an instant in the market, such as `16:59:00`. */
export function timeOfDay(epochMs: number): string {
  return new Date(epochMs - calendar.startOfDay(date)).toISOString().slice(11, 19);
}
