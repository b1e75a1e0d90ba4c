import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { layoutTiles } from './tile-layout.ts';

const screen = { width: 1310, height: 525 };
const phone = { width: 336, height: 480 };

/** Traded amounts of a panel: a few large ones, and many small ones. */
function amounts(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => 1e9 / (at + 1) ** 1.8);
}

const weights = fc
  .array(fc.double({ min: 0.001, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 120 })
  .map((all) => all.toSorted((a, b) => b - a));
const side = fc.integer({ min: 200, max: 2000 });

test('every weight has a tile or is part of the last one, and tiles fill the map without overlap', () => {
  fc.assert(
    fc.property(weights, side, side, (all, width, height) => {
      const { rects, rest } = layoutTiles(all, { width, height });
      assert.equal(rects.length < all.length, rest !== undefined);
      const placed = rest === undefined ? rects : [...rects, rest];
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
    const { rects, rest } = layoutTiles(amounts(count), screen);
    assert.equal(rest, undefined);
    for (const { width, height } of rects) assert.ok(width >= 36 && height >= 24);
  }
});

test('large areas are in proportion to their amounts', () => {
  const all = amounts(186);
  const { rects } = layoutTiles(all, screen);
  const areaOf = (at: number) => (rects[at]?.width ?? 0) * (rects[at]?.height ?? 0);
  for (const at of [1, 2, 3, 4]) {
    const wanted = (all[at] ?? 0) / (all[0] ?? 1);
    assert.ok(Math.abs(areaOf(at) / areaOf(0) - wanted) < 1e-6);
  }
});

test('on a phone, the tiles that do not fit share one', () => {
  const { rects, rest } = layoutTiles(amounts(186), phone);
  assert.ok(rects.length > 40 && rects.length < 186);
  assert.ok(rest !== undefined);
  for (const { width, height } of [...rects, rest]) assert.ok(width >= 36 && height >= 24);
});

test('a map that has no size yet, or nothing to show, has no tiles of a size', () => {
  assert.deepEqual(layoutTiles([], screen), { rects: [], rest: undefined });
  const { rects } = layoutTiles([3, 2, 1], { width: 0, height: 0 });
  for (const { width, height } of rects) assert.equal(width * height, 0);
});
