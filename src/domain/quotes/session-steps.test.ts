import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barAt } from '../../../test/support/market/bar-samples.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import { msPerMinute } from './minute-bar.ts';
import { lastPrices, stepAt, stepsMax, stepsOf } from './session-steps.ts';

const session = '2026-11-20' as PlainDate;

/** A session of some minutes from 11:00 in Buenos Aires. */
function calendarOf(minutes: number) {
  const opensAt = Date.parse('2026-11-20T11:00:00-03:00');
  return { opensAt: () => opensAt, closesAt: () => opensAt + minutes * msPerMinute };
}

test('a session has the shortest steps of which it has at most 100', () => {
  for (const [minutes, length, count] of [
    [1, 1, 1],
    [100, 1, 100],
    [101, 5, 21],
    [360, 5, 72],
    [390, 5, 78],
    [500, 5, 100],
    [501, 15, 34],
    [1440, 15, 96],
    // The day on which clocks are set back.
    [1500, 15, 100],
  ] as const) {
    const steps = stepsOf(calendarOf(minutes), session);
    assert.deepEqual([steps.length, steps.count], [length, count], `${minutes} minutes`);
    assert.ok(steps.count <= stepsMax);
    assert.ok(steps.length * steps.count >= minutes);
  }
});

test('a step begins with its first minute, and prices outside of the hours are in the outer steps', () => {
  const steps = stepsOf(calendarOf(360), session);
  const stepOf = (time: string) => stepAt(steps, barAt(session, time, [1, 1, 1, 1], 1).minute);
  for (const [time, step] of [
    ['11:00', 0],
    ['11:04', 0],
    ['11:05', 1],
    ['16:59', 71],
    ['17:00', 71],
    ['17:04', 71],
    ['10:59', 0],
    ['09:00', 0],
  ] as const) {
    assert.equal(stepOf(time), step, time);
  }
});

test('a path has the last price of each step, null where none came, and ends with a price', () => {
  const steps = stepsOf(calendarOf(360), session);
  const bars = [
    ['11:06', 10],
    ['11:09', 12],
    ['11:20', 11],
    ['11:21', 11.5],
  ] as const;
  const minutes = bars.map(([time, last]) => barAt(session, time, [9, 13, 8, last], 1));
  assert.deepEqual(lastPrices(minutes, steps), [null, 12, null, null, 11.5]);
  assert.deepEqual(lastPrices([], steps), []);
});
