import assert from 'node:assert/strict';
import { test } from 'node:test';

import { tileLabel } from './tile-label.ts';

test('a tile has its ticker and its change where both can be read, and otherwise neither', () => {
  assert.deepEqual(tileLabel('GGAL', { width: 300, height: 200 }), { size: 30, isWritten: true });
  assert.equal(tileLabel('GGAL', { width: 60, height: 34 }).isWritten, true);
  assert.equal(tileLabel('GGAL', { width: 60, height: 22 }).isWritten, false);
  assert.equal(tileLabel('GGAL', { width: 20, height: 26 }).isWritten, false);
});

test('a ticker with wide letters has a smaller text', () => {
  const tile = { width: 56, height: 60 };
  assert.ok(tileLabel('MWMWM', tile).size < tileLabel('ACACA', tile).size);
});

test('a text is never smaller than nine pixels', () => {
  for (const ticker of ['F', 'GGAL', 'GOOGL', 'DOLAR BLUE']) {
    for (let width = 10; width < 200; width += 3) {
      assert.ok(tileLabel(ticker, { width, height: 26 }).size >= 9);
    }
  }
});
