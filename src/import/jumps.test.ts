import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CorporateAction } from '../domain/corporate-action.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import type { Ticker } from '../domain/ticker.ts';
import { findJumps, judgeMove } from './jumps.ts';

const shares = { jumpLimitPct: 40, hasUnits: true };
const bonds = { jumpLimitPct: 40, hasUnits: false };

function series(values: readonly number[]) {
  return values.map((close, at) => ({ day: at as EpochDay, close, volume: null }));
}

test('a move beyond the limit of the kind is a jump, and a move at the limit is not', () => {
  assert.equal(judgeMove(100, 140.1, shares), 'jump');
  assert.equal(judgeMove(100, 140, shares), undefined);
  assert.equal(judgeMove(100, 59.9, shares), 'jump');
  assert.equal(judgeMove(100, 60, shares), undefined);
});

test('a fall by a factor near 10, 100 or 1000 is a mistake of scale', () => {
  assert.equal(judgeMove(6446, 6.446, shares), 'scale');
  assert.equal(judgeMove(6400, 6.446, shares), 'scale');
  assert.equal(judgeMove(100, 1, shares), 'scale');
  assert.equal(judgeMove(105, 10, shares), 'scale');
  assert.equal(judgeMove(100, 22, shares), 'jump');
});

test('a fall may be up to 15 percent more or less than such a factor', () => {
  for (const factor of [10, 100, 1_000]) {
    for (const share of [0.8505, 1.1495]) {
      assert.equal(judgeMove(factor * share, 1, bonds), 'scale', `${factor} × ${share}`);
    }
    for (const share of [0.8495, 1.1505]) {
      assert.equal(judgeMove(factor * share, 1, bonds), 'jump', `${factor} × ${share}`);
    }
  }
});

test('a move from zero is not judged', () => {
  assert.equal(judgeMove(0, 5, shares), undefined);
});

test('jumps are found between neighbours of a series, with the close before', () => {
  const closes = series([100, 101, 10, 101]);
  const found = [...findJumps(closes, { ...shares, actions: [] })].map(
    ({ close, previous, suspicion }) => [previous.close, close.close, suspicion],
  );
  assert.deepEqual(found, [
    [101, 10, 'scale'],
    [10, 101, 'split'],
  ]);
});

test('a move by a usual factor of a split looks like one, for kinds that have units, also below the limit', () => {
  for (const [previous, close] of [
    [500, 125],
    [125, 500],
    [100, 66.7],
  ] as const) {
    assert.equal(judgeMove(previous, close, shares), 'split');
    assert.notEqual(judgeMove(previous, close, bonds), 'split');
  }
  assert.equal(judgeMove(100, 66.7, bonds), undefined);
  assert.equal(judgeMove(500, 125, bonds), 'jump');
});

test('a recorded action is no jump, and other closes are compared on the basis of their day', () => {
  const split: CorporateAction = {
    type: 'split',
    ticker: 'YPFD' as Ticker,
    exDay: 1 as EpochDay,
    source: 'x',
    factor: 10,
  };
  const rules = { ...shares, actions: [split] };
  assert.deepEqual([...findJumps(series([1_000, 101, 102]), rules)], []);
  const [jump, ...more] = findJumps(series([1_000, 55, 56]), rules);
  assert.deepEqual([jump?.previous.close, jump?.base, jump?.suspicion], [1_000, 100, 'jump']);
  assert.deepEqual(more, []);
  const [kept] = findJumps(series([1_000, 1_000]), rules);
  assert.deepEqual([kept?.base, kept?.suspicion], [100, 'split']);
});
