import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ageOf, ageText, freshnessIn, quietFor } from './freshness.ts';

const market = { rueda: '2026-11-20' };

test('a quote of the session under way, or of the last one, is current', () => {
  assert.equal(freshnessIn(market, '2026-11-20', false), 'current');
});

test('a quote of a session before that is of an earlier one', () => {
  assert.equal(freshnessIn(market, '2026-11-19', false), 'earlier');
  assert.equal(freshnessIn(market, '2022-03-04', false), 'earlier');
});

test('nothing is known of a quote while the service is silent, or its market is not known', () => {
  assert.equal(freshnessIn(market, '2026-11-20', true), 'unknown');
  assert.equal(freshnessIn(market, '2022-03-04', true), 'unknown');
  assert.equal(freshnessIn(undefined, '2026-11-20', false), 'unknown');
});

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
