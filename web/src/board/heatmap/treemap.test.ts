import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { treemap } from './treemap.ts';

const weights = fc
  .array(fc.double({ min: 0.001, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 80 })
  .map((all) => all.toSorted((a, b) => b - a));
const side = fc.integer({ min: 100, max: 2000 });

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
