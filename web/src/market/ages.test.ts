import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ageOf, ageText, quietFor } from './ages.ts';

const now = Date.parse('2026-11-20T15:00:00Z');
const minuteMs = 60_000;

test('the age of a price does not count the delay of its source, and needs a time', () => {
  const quote = { fecha: '2026-11-20', hora: '11:57:00' };
  assert.equal(ageOf(quote, undefined, now), 3 * minuteMs);
  assert.equal(ageOf(quote, { demoraMinutos: 20 }, now), -17 * minuteMs);
  assert.equal(ageOf({ fecha: '2026-11-20' }, undefined, now), undefined);
});

test('an age of two minutes or more is shown, in whole minutes and from an hour in hours', () => {
  assert.equal(ageText(undefined), undefined);
  assert.equal(ageText(2 * minuteMs - 1), undefined);
  assert.equal(ageText(2 * minuteMs), 'hace 2 min');
  assert.equal(ageText(59.9 * minuteMs), 'hace 59 min');
  assert.equal(ageText(60 * minuteMs), 'hace 1 h');
  assert.equal(ageText(150 * minuteMs), 'hace 2 h');
});

test('a panel whose prices followed each other within seconds is quiet after three minutes without one', () => {
  const panel = (newest: number, pauseMs: number) =>
    Array.from({ length: 20 }, (_, at) => newest * minuteMs + at * pauseMs).toReversed();
  assert.equal(quietFor(panel(2.9, 5_000)), undefined);
  assert.equal(quietFor(panel(3, 5_000)), 3 * minuteMs);
  // A panel that moves once a minute is quiet after ten.
  assert.equal(quietFor(panel(9.9, minuteMs)), undefined);
  assert.equal(quietFor(panel(10, minuteMs)), 10 * minuteMs);
});

test('a few prices do not tell how often a panel moves', () => {
  assert.equal(quietFor([]), undefined);
  assert.equal(quietFor([30, 30, 30, 30].map((age) => age * minuteMs)), undefined);
});
