import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochDay } from '../domain/plain-date.ts';
import { findJumps, judgeMove } from './jumps.ts';

test('a move beyond the limit of the kind is a jump, and a move at the limit is not', () => {
  assert.equal(judgeMove(100, 140.1, 40), 'jump');
  assert.equal(judgeMove(100, 140, 40), undefined);
  assert.equal(judgeMove(100, 59.9, 40), 'jump');
  assert.equal(judgeMove(100, 60, 40), undefined);
});

test('a fall by a factor near 10, 100 or 1000 is a mistake of scale', () => {
  assert.equal(judgeMove(6446, 6.446, 40), 'scale');
  assert.equal(judgeMove(6400, 6.446, 40), 'scale');
  assert.equal(judgeMove(100, 1, 40), 'scale');
  assert.equal(judgeMove(105, 10, 40), 'scale');
  assert.equal(judgeMove(100, 20, 40), 'jump');
});

test('a fall may be up to 15 percent more or less than such a factor', () => {
  for (const factor of [10, 100, 1_000]) {
    for (const share of [0.8505, 1.1495]) {
      assert.equal(judgeMove(factor * share, 1, 40), 'scale', `${factor} × ${share}`);
    }
    for (const share of [0.8495, 1.1505]) {
      assert.equal(judgeMove(factor * share, 1, 40), 'jump', `${factor} × ${share}`);
    }
  }
});

test('a move from zero is not judged', () => {
  assert.equal(judgeMove(0, 5, 40), undefined);
});

test('jumps are found between neighbours of a series, with the close before', () => {
  const closes = [100, 101, 10, 101].map((close, at) => ({
    day: at as EpochDay,
    close,
    volume: null,
  }));
  const found = [...findJumps(closes, 40)].map(({ close, previous, suspicion }) => [
    previous.close,
    close.close,
    suspicion,
  ]);
  assert.deepEqual(found, [
    [101, 10, 'scale'],
    [10, 101, 'jump'],
  ]);
});
