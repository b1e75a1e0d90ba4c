import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { layoutTiles, leastHeight, tileLabel, treemap } from './tile-layout.ts';

const screen = { width: 1310, height: 525 };
const phoneWidth = 336;

/** Traded amounts of a panel: a few large ones, and many small ones. */
function amounts(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => 1e9 / (at + 1) ** 1.8);
}

const weights = fc
  .array(fc.double({ min: 0.001, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 120 })
  .map((all) => all.toSorted((a, b) => b - a));
const side = fc.integer({ min: 200, max: 2000 });

test('every weight has a tile, and tiles fill the map without overlap', () => {
  fc.assert(
    fc.property(weights, side, side, (all, width, height) => {
      const placed = layoutTiles(all, { width, height });
      assert.equal(placed.length, all.length);
      const slack = 1e-6 * Math.max(width, height);
      for (const [at, a] of placed.entries()) {
        assert.ok(a.x >= -slack && a.x + a.width <= width + slack);
        assert.ok(a.y >= -slack && a.y + a.height <= height + slack);
        for (const b of placed.slice(at + 1)) {
          const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
          const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
          assert.ok(across <= slack || down <= slack, `${at}`);
        }
      }
      const covered = placed.reduce((sum, rect) => sum + rect.width * rect.height, 0);
      assert.ok(Math.abs(covered - width * height) <= 1e-6 * width * height);
    }),
  );
});

test('every tile of a large panel can be read and hit', () => {
  for (const count of [20, 57, 186]) {
    for (const { width, height } of layoutTiles(amounts(count), screen)) {
      assert.ok(width >= 42 && height >= 24);
    }
  }
});

test('large areas are in proportion to their amounts', () => {
  const all = amounts(186);
  const rects = layoutTiles(all, screen);
  const areaOf = (at: number) => (rects[at]?.width ?? 0) * (rects[at]?.height ?? 0);
  for (const at of [1, 2, 3, 4]) {
    const wanted = (all[at] ?? 0) / (all[0] ?? 1);
    assert.ok(Math.abs(areaOf(at) / areaOf(0) - wanted) < 1e-6);
  }
});

test('on a phone, the map is as high as its tiles need', () => {
  for (const count of [20, 57, 186]) {
    const height = Math.max(480, leastHeight(count, phoneWidth));
    for (const rect of layoutTiles(amounts(count), { width: phoneWidth, height })) {
      assert.ok(rect.width >= 42 && rect.height >= 24, `${count}: ${JSON.stringify(rect)}`);
    }
  }
  assert.ok(leastHeight(20, phoneWidth) < 480 && leastHeight(186, screen.width) < screen.height);
  assert.equal(leastHeight(186, 0), 0);
});

test('a map that has no size yet, or nothing to show, has no tiles of a size', () => {
  assert.deepEqual(layoutTiles([], screen), []);
  for (const { width, height } of layoutTiles([3, 2, 1], { width: 0, height: 0 })) {
    assert.equal(width * height, 0);
  }
});

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

test('areas are in proportion to the weights and fill the rectangle', () => {
  fc.assert(
    fc.property(weights, side, side, (all, width, height) => {
      const rects = treemap(all, { x: 0, y: 0, width, height });
      const total = all.reduce((sum, weight) => sum + weight, 0);
      assert.equal(rects.length, all.length);
      for (const [at, rect] of rects.entries()) {
        const wanted = ((all[at] ?? 0) / total) * width * height;
        assert.ok(Math.abs(rect.width * rect.height - wanted) <= 1e-6 * width * height);
      }
    }),
  );
});

test('rectangles stay within the map and do not overlap', () => {
  fc.assert(
    fc.property(weights, side, side, (all, width, height) => {
      const rects = treemap(all, { x: 0, y: 0, width, height });
      const slack = 1e-6 * Math.max(width, height);
      for (const [at, a] of rects.entries()) {
        assert.ok(a.x >= -slack && a.y >= -slack);
        assert.ok(a.x + a.width <= width + slack && a.y + a.height <= height + slack);
        for (const b of rects.slice(at + 1)) {
          const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
          const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
          assert.ok(across <= slack || down <= slack, `${at}`);
        }
      }
    }),
  );
});

test('equal weights give shapes near squares', () => {
  const rects = treemap(
    Array.from({ length: 30 }, () => 1),
    { x: 0, y: 0, width: 1200, height: 600 },
  );
  for (const { width, height } of rects) {
    assert.ok(Math.max(width / height, height / width) < 2, `${width} x ${height}`);
  }
});

test('a map without weights has no rectangles', () => {
  assert.deepEqual(treemap([], { x: 0, y: 0, width: 10, height: 10 }), []);
});
