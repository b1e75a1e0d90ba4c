/**
 * The time to find the session of an instant, compared with computing the local date and time of every
 * instant with Temporal. This happens for each update, so it must take far less than a microsecond.
 *
 * Usage: node bench/session-calendar.ts
 */
import { performance } from 'node:perf_hooks';
import type { Market } from '../src/domain/calendar/market.ts';
import { SessionCalendar } from '../src/domain/calendar/session-calendar.ts';
import { say } from './support/print.ts';
import { report } from './support/report.ts';

const calls = 1_000_000;
const start = Date.UTC(2026, 9, 6, 14);
const msPerDay = 86_400_000;
const market: Market = {
  code: 'NYSE',
  name: 'New York Stock Exchange',
  timeZone: 'America/New_York',
  weekdays: new Set([1, 2, 3, 4, 5]),
  hours: [{ openMinute: 570, closeMinute: 960 }],
  holidays: new Map(),
  earlyCloses: new Map(),
};
const calendar = new SessionCalendar(market);

// The results are summed up, so that the compiler cannot remove the computation.
let sum = 0;

const live = measure(calls, (index) => calendar.sessionAt(start + index).length);
report('instants of one session', live, 'ns');
report(
  'instants of two sessions in turn',
  measure(calls, (index) => calendar.sessionAt(start + (index % 2) * msPerDay).length),
  'ns',
);
report(
  'each instant of another session',
  measure(calls / 100, (index) => calendar.sessionAt(start + index * msPerDay).length),
  'ns',
);
const naive = measure(calls / 10, (index) => {
  const instant = Temporal.Instant.fromEpochMilliseconds(start + index);
  const local = instant.toZonedDateTimeISO(market.timeZone);
  return local.hour * 60 + local.minute < 570 ? local.day - 1 : local.day;
});
report('Temporal for each instant', naive, 'ns');
say(`Temporal takes ${(naive / live).toFixed(0)} times as long (${sum})`);

/** Nanoseconds per call. The first half of the calls warms up. */
function measure(count: number, work: (index: number) => number): number {
  for (let index = 0; index < count; index += 1) sum += work(index);
  const from = performance.now();
  for (let index = 0; index < count; index += 1) sum += work(index);
  return ((performance.now() - from) / count) * 1e6;
}
