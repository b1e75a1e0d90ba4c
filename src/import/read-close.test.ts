import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noActions } from '../domain/corporate-actions.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import { makeUniverse } from '../../test/support/make-universe.ts';
import { CloseTargets } from './close-target.ts';
import type { CloseTarget } from './close-target.ts';
import { readClose } from './read-close.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'MEP-CCL', kind: 'spread' },
]);
const targets = new CloseTargets(universe, Date.UTC(2026, 10, 20), noActions);
const columns = {
  ticker: { type: 'file' },
  close: 0,
  open: 1,
  high: 2,
  low: 3,
  volume: 4,
} as const;
const day = 20_000 as EpochDay;

function target(ticker: string): CloseTarget {
  return targets.of(universe.find(ticker) ?? assert.fail(`no ${ticker}`));
}

function read(ticker: string, row: readonly string[], scale = 1): unknown {
  return readClose(row, columns, day, target(ticker), { decimal: '.', scale });
}

test('contract 2.1.6: volume is null for kinds without one, and when it is not a number', () => {
  assert.deepEqual(read('MERVAL', ['5', '', '', '', '10']), { day, close: 5, volume: null });
  assert.deepEqual(read('GGAL', ['5', '', '', '', '10']), { day, close: 5, volume: 10 });
  assert.deepEqual(read('GGAL', ['5', '', '', '', 'N/A']), { day, close: 5, volume: null });
  assert.deepEqual(read('GGAL', ['5', '', '', '', '-1']), { day, close: 5, volume: null });
});

test('contract 2.1.1: an open, high or low that is not a price is absent, never 0', () => {
  assert.deepEqual(read('GGAL', ['5', '0', 'null', '-1', '']), { day, close: 5, volume: null });
  assert.deepEqual(read('GGAL', ['5', '4', '6', '3', '1']), {
    day,
    close: 5,
    volume: 1,
    open: 4,
    high: 6,
    low: 3,
  });
});

test('a price is above zero, a spread may be any number, and zero is never negative', () => {
  assert.equal(read('GGAL', ['0']), 'not-positive');
  assert.equal(read('GGAL', ['']), 'no-number');
  assert.deepEqual(read('MEP-CCL', ['-2']), { day, close: -2, volume: null });
  assert.deepEqual(read('MEP-CCL', ['-0']), { day, close: 0, volume: null });
});

test('the scale divides prices and not volumes', () => {
  assert.deepEqual(read('GGAL', ['162500', '', '', '', '6315000'], 10_000), {
    day,
    close: 16.25,
    volume: 6_315_000,
  });
});

test('an open, a high or a low is read without the other two', () => {
  const bare = { day, close: 5, volume: null };
  assert.deepEqual(read('GGAL', ['5', '4']), { ...bare, open: 4 });
  assert.deepEqual(read('GGAL', ['5', '', '6']), { ...bare, high: 6 });
  assert.deepEqual(read('GGAL', ['5', '', '', '3']), { ...bare, low: 3 });
});
