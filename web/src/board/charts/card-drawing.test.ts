import assert from 'node:assert/strict';
import { test } from 'node:test';

import { areaOf, figuresOf, rangeCard, sessionCard } from './card-drawing.ts';

const path = {
  day: '2026-11-20',
  openMinute: 660,
  stepMinutes: 5,
  prices: [null, 10, 12, null, 9],
};

test('a card of a session counts from the previous close, and has the times of its steps', () => {
  const card = sessionCard(path, 8, 0);
  assert.deepEqual([card.base, card.from, card.to], [8, '11:00', '11:20']);
  // While the session goes on, the card has room for the rest of it.
  assert.equal(sessionCard(path, 8, 72).to, '16:55');
  assert.deepEqual(figuresOf(card), { low: 9, high: 12, changePct: 12.5 });
});

test('a session that passes midnight has the times of both days', () => {
  const card = sessionCard({ ...path, openMinute: 1435, prices: [1, 2, 3] }, 1, 0);
  assert.deepEqual([card.from, card.to], ['23:55', '00:05']);
});

test('a card of a range counts from its first close', () => {
  const bars = [
    { time: '2026-10-20', day: '2026-10-20', close: 50, volume: null },
    { time: '2026-11-20', day: '2026-11-20', close: 60, volume: null },
  ];
  const card = rangeCard(bars);
  assert.deepEqual([card.from, card.to], ['20/10/2026', '20/11/2026']);
  assert.equal(Math.round(figuresOf(card)?.changePct ?? 0), 20);
});

test('a card without a price has no figures, and one from zero has no percentage', () => {
  assert.equal(figuresOf(sessionCard({ ...path, prices: [null] }, 8, 0)), undefined);
  assert.equal(figuresOf(sessionCard(path, 0, 0))?.changePct, undefined);
  assert.equal(figuresOf(sessionCard(path, undefined, 0))?.changePct, undefined);
});

test('an area ends below its first and its last price', () => {
  assert.equal(areaOf('M10,5 20,7', 30), 'M10,5 20,7V30H10Z');
  assert.equal(areaOf('M0,5H90', 30), 'M0,5H90V30H0Z');
  assert.equal(areaOf('', 30), '');
});
