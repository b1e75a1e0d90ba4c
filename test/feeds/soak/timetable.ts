import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { parsePlainDate } from '../../../src/domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../../src/domain/calendar/session-calendar.ts';
import type { FeedDeps } from '../../../src/feeds/contract/feed-type.ts';
import type { Clock } from '../../../src/lib/time/clock.ts';
import { sketchMarkets } from '../../support/market/make-universe.ts';

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

/** The maximum real time of the test, in milliseconds: on a busy machine the clock runs slower. */
export const timeout = 10 * ((endsAt - startsAt) / speed) + 600_000;

/** The time of day of an instant in the market of the recording, such as `16:59:00`. */
export function timeOfDay(epochMs: number): string {
  return new Date(epochMs - calendar.startOfDay(date)).toISOString().slice(11, 19);
}

/** The date of an instant in the market of the recording. */
export function dateAt(epochMs: number): string {
  return calendar.dateAt(epochMs);
}

/** How often the clock is moved on, and the most by which it then is, in milliseconds of real time. */
const tickMs = 5;

/**
 * A clock that runs faster, and pauses on it. On a busy machine it runs slower: time in which this
 * process did not run is not counted.
 */
export class FastClock implements Clock, Disposable {
  /** The real time that has been counted until the latest tick, in milliseconds. */
  #countedMs = 0;
  #tickedAt = performance.now();
  readonly #timer = setInterval(() => this.#tick(), tickMs);

  now(): number {
    return Math.floor(startsAt + this.monotonic());
  }

  monotonic(): number {
    return (this.#countedMs + this.#sinceTick()) * speed;
  }

  readonly pause: FeedDeps['pause'] = async (ms, signal) => {
    await sleep(ms / speed, undefined, { signal });
  };

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.#countedMs += this.#sinceTick();
    this.#tickedAt = performance.now();
  }

  #sinceTick(): number {
    return Math.min(performance.now() - this.#tickedAt, tickMs);
  }
}
