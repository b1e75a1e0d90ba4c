import assert from 'node:assert/strict';
import { test } from 'node:test';

import { tileLabel } from './tile-label.ts';

test('a tile has ticker and change where both fit, then the ticker alone, then nothing', () => {
  assert.deepEqual(tileLabel('GGAL', { width: 300, height: 200 }), { size: 30, lines: 'both' });
  assert.equal(tileLabel('GGAL', { width: 60, height: 34 }).lines, 'both');
  assert.equal(tileLabel('GGAL', { width: 60, height: 24 }).lines, 'ticker');
  assert.equal(tileLabel('GOOGL', { width: 40, height: 26 }).lines, 'ticker');
  assert.equal(tileLabel('GGAL', { width: 20, height: 26 }).lines, 'none');
});

test('a ticker with wide letters has a smaller text', () => {
  const tile = { width: 42, height: 24 };
  assert.equal(tileLabel('MGCMO', tile).lines, 'ticker');
  assert.ok(tileLabel('MGCMO', tile).size < tileLabel('AGCAO', tile).size);
});

test('a text is never smaller than nine pixels', () => {
  for (const ticker of ['F', 'GGAL', 'GOOGL', 'DOLAR BLUE']) {
    for (let width = 10; width < 200; width += 3) {
      assert.ok(tileLabel(ticker, { width, height: 26 }).size >= 9);
    }
  }
});
