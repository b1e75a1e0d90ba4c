import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DailyClose } from './daily-close.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import { mergedClose } from './merged-close.ts';

const day = 20_000 as EpochDay;
const whole: DailyClose = { day, close: 12, volume: 500, open: 11, high: 14, low: 10 };
const bare: DailyClose = { day, close: 12, volume: null };

test('a close without new values returns the stored one', () => {
  assert.equal(mergedClose(whole, { ...whole }), whole);
  assert.equal(mergedClose(whole, bare), whole);
  assert.equal(mergedClose(bare, { ...bare }), bare);
  assert.equal(mergedClose(whole, { ...whole, volume: 0 }), whole, '0 is no volume');
  assert.equal(mergedClose(whole, { ...whole, close: 12.000000000000002 }), whole);
  const stored = { ...whole, close: 93.89, high: 93.89 };
  assert.equal(mergedClose(stored, { ...stored, close: 93.889999, high: 93.889999 }), stored);
});

test('each value that differs replaces the stored value, and the others are kept', () => {
  for (const change of [
    { volume: 501 },
    { open: 11.5 },
    { high: 15 },
    { low: 9 },
    { close: 13 },
  ] as const) {
    const expected = { ...whole, ...change };
    assert.deepEqual(mergedClose(whole, { ...whole, ...change }), expected);
    assert.deepEqual(mergedClose(whole, { ...bare, ...change }), expected);
  }
});

test('a close with more values than the stored one adds them', () => {
  assert.deepEqual(mergedClose(bare, whole), whole);
  assert.deepEqual(mergedClose(bare, { ...bare, volume: 0 }), { ...bare, volume: 0 });
  assert.deepEqual(mergedClose(bare, { ...bare, low: 10 }), { ...bare, low: 10 });
});

test('a new close keeps open, high and low only when it is within the stored range', () => {
  for (const close of [10, 14, 13]) {
    assert.deepEqual(mergedClose(whole, { ...bare, close }), { ...whole, close });
  }
  for (const close of [9.9, 14.1]) {
    assert.deepEqual(mergedClose(whole, { ...bare, close }), { ...bare, close, volume: 500 });
  }
  const noLow = { ...bare, open: 11, high: 14 };
  assert.deepEqual(mergedClose(noLow, { ...bare, close: 13 }), { ...bare, close: 13 });
  const noHigh = { ...bare, open: 11, low: 10 };
  assert.deepEqual(mergedClose(noHigh, { ...bare, close: 13 }), { ...bare, close: 13 });
});

test('the source is that of the price: another price brings its own, other values do not', () => {
  const stored = { ...whole, source: 'one' };
  const other = { ...bare, source: 'two' };
  assert.deepEqual(mergedClose(stored, { ...other, volume: 7 }), { ...stored, volume: 7 });
  assert.deepEqual(mergedClose(stored, { ...other, close: 13 }), {
    ...whole,
    close: 13,
    source: 'two',
  });
  assert.deepEqual(mergedClose(stored, { ...bare, close: 13 }), { ...whole, close: 13 });
  assert.deepEqual(mergedClose(whole, { ...other, volume: 7 }), { ...whole, volume: 7 });
});

test('open, high and low of an equal close are kept, even when the close is outside of them', () => {
  const outside = { ...whole, close: 15 };
  assert.equal(mergedClose(outside, { ...bare, close: 15 }), outside);
  const withVolume = { ...bare, close: 15, volume: 7 };
  assert.deepEqual(mergedClose(outside, withVolume), { ...outside, volume: 7 });
});
