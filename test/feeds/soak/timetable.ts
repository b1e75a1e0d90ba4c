import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { parsePlainDate } from '../../../src/domain/plain-date.ts';
import { SessionCalendar } from '../../../src/domain/session-calendar.ts';
import type { FeedDeps } from '../../../src/feeds/feed-type.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { sketchMarkets } from '../../support/make-universe.ts';

/** A whole day at thirty times the speed. Otherwise the last hours of a session, much faster. */
export const isLong = process.env['SOAK'] === 'long';
export const speed = Number(process.env['SOAK_SPEED'] ?? (isLong ? 30 : 1_200));
export const seed = Number(process.env['SOAK_SEED'] ?? 1);

export const minuteMs = 60_000;

/** The day of the recording. */
export const date = parsePlainDate('2026-11-20') ?? assert.fail();
const calendar = new SessionCalendar(sketchMarkets.get('BYMA') ?? assert.fail('no market'));
export const [opensAt, closesAt] = [calendar.opensAt(date), calendar.closesAt(date)];
export const startsAt = isLong ? calendar.startOfDay(date) : closesAt - 120 * minuteMs;
export const endsAt = closesAt + (isLong ? 7 * 60 : 30) * minuteMs;

/** After this instant the price does not change, so that every source has time to report it. */
export const lastTradeAt = closesAt - 60 * minuteMs;

/** A source that limits requests is requested again after at most a quarter of an hour. */
export const lastFaultAt = closesAt - 25 * minuteMs;

/** The delay of the sources that are delayed, in milliseconds. */
export const delayMs = 20 * minuteMs;

/** The maximum real time of the test, in milliseconds. */
export const timeout = (endsAt - startsAt) / speed + 60_000;

/** The time of day of an instant in the market of the recording, such as `16:59:00`. */
export function timeOfDay(epochMs: number): string {
  return new Date(epochMs - calendar.startOfDay(date)).toISOString().slice(11, 19);
}

/** The date of an instant in the market of the recording. */
export function dateAt(epochMs: number): string {
  return calendar.dateAt(epochMs);
}

/** A clock that runs faster, and pauses on it. */
export function fastClock(): { readonly clock: Clock; readonly pause: FeedDeps['pause'] } {
  const startedAt = performance.now();
  const monotonic = (): number => (performance.now() - startedAt) * speed;
  return {
    clock: { now: () => Math.floor(startsAt + monotonic()), monotonic },
    pause: (ms, signal) => sleep(ms / speed, undefined, { signal }),
  };
}
