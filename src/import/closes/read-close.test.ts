import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noActions } from '../../domain/history/corporate-actions.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { CloseTargets, type CloseTarget } from './close-target.ts';
import { readClose, rejectReasons } from './read-close.ts';

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
const source = 'import:x.csv';

function target(ticker: string): CloseTarget {
  return targets.of(universe.find(ticker) ?? assert.fail(`no ${ticker}`));
}

function read(ticker: string, row: readonly string[], scale = 1): unknown {
  return readClose(row, columns, day, target(ticker), {
    decimal: '.',
    volumeDecimals: new Map(),
    currencyOf: () => undefined,
    scale,
    source,
  });
}

test('contract 2.1.6: volume is null for kinds without one, and when it is not a number', () => {
  assert.deepEqual(read('MERVAL', ['5', '', '', '', '10']), {
    day,
    source,
    close: 5,
    volume: null,
  });
  assert.deepEqual(read('GGAL', ['5', '', '', '', '10']), { day, source, close: 5, volume: 10 });
  assert.deepEqual(read('GGAL', ['5', '', '', '', 'N/A']), { day, source, close: 5, volume: null });
  assert.deepEqual(read('GGAL', ['5', '', '', '', '-1']), { day, source, close: 5, volume: null });
});

test('contract 2.1.1: an open, high or low that is not a price is absent, never 0', () => {
  assert.deepEqual(read('GGAL', ['5', '0', 'null', '-1', '']), {
    day,
    source,
    close: 5,
    volume: null,
  });
  assert.deepEqual(read('GGAL', ['5', '4', '6', '3', '1']), {
    day,
    source,
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
  assert.deepEqual(read('MEP-CCL', ['-2']), { day, source, close: -2, volume: null });
  assert.deepEqual(read('MEP-CCL', ['-0']), { day, source, close: 0, volume: null });
});

test('the scale divides prices and not volumes', () => {
  assert.deepEqual(read('GGAL', ['162500', '', '', '', '6315000'], 10_000), {
    day,
    source,
    close: 16.25,
    volume: 6_315_000,
  });
});

test('an open, a high or a low is read without the other two', () => {
  const bare = { day, source, close: 5, volume: null };
  assert.deepEqual(read('GGAL', ['5', '4']), { ...bare, open: 4 });
  assert.deepEqual(read('GGAL', ['5', '', '6']), { ...bare, high: 6 });
  assert.deepEqual(read('GGAL', ['5', '', '', '3']), { ...bare, low: 3 });
});

test('the source of a row is that of the table, unless a column has it; an empty cell is no source', () => {
  const withSource = { ...columns, source: 5 };
  const readSource = (cell: string): unknown => {
    const rules = {
      decimal: '.',
      volumeDecimals: new Map(),
      currencyOf: () => undefined,
      scale: 1,
      source,
    } as const;
    return readClose(['5', '', '', '', '1', cell], withSource, day, target('GGAL'), rules);
  };
  assert.deepEqual(readSource(' data912 '), { day, source: 'data912', close: 5, volume: 1 });
  assert.deepEqual(readSource(' '), { day, close: 5, volume: 1 });
  assert.equal(readSource('=1+1'), 'bad-source');
  assert.equal(readSource('x'.repeat(201)), 'bad-source');
  const whole = ['5', '4', '6', '3', '1', 'data912'];
  const rules = {
    decimal: '.',
    volumeDecimals: new Map(),
    currencyOf: () => undefined,
    scale: 1,
    source,
  } as const;
  assert.deepEqual(readClose(whole, withSource, day, target('GGAL'), rules), {
    day,
    source: 'data912',
    close: 5,
    open: 4,
    high: 6,
    low: 3,
    volume: 1,
  });
  assert.deepEqual(readClose([...whole.slice(0, 5), ''], withSource, day, target('GGAL'), rules), {
    day,
    close: 5,
    open: 4,
    high: 6,
    low: 3,
    volume: 1,
  });
});

test('every reason for which a row is rejected has a text', () => {
  for (const [reason, text] of Object.entries(rejectReasons)) assert.match(text, /\w+ \w+/, reason);
});
