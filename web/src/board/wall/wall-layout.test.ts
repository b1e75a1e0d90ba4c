import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { fontPxMin, wallLayout, wallWithPaths } from './wall-layout.ts';

const screen = { width: 1920, height: 1000 };

test('a panel of 23 instruments fills a large screen with large text in a few columns', () => {
  const layout = wallLayout(23, 18, screen);
  assert.ok(layout.fontPx > 35, String(layout.fontPx));
  assert.ok(layout.columns <= 3);
});

test('a panel that does not fit with readable text scrolls', () => {
  const layout = wallLayout(428, 18, screen);
  assert.equal(layout.fontPx, fontPxMin);
  assert.ok(layout.columns > 4);
});

test('on a phone there is one column, whose rows are not wider than the screen', () => {
  const { columns, fontPx } = wallLayout(23, 18, { width: 366, height: 700 });
  assert.equal(columns, 1);
  assert.ok(fontPx * 18 <= 366);
});

test('every row has a place, and rows that fit are within the screen', () => {
  const size = fc.record({
    width: fc.integer({ min: 200, max: 4000 }),
    height: fc.integer({ min: 200, max: 2500 }),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 8, max: 30 }),
      size,
      (count, em, box) => {
        const { columns, rows, fontPx } = wallLayout(count, em, box);
        assert.ok(columns * rows >= count);
        assert.ok(columns * em * fontPx <= box.width + 1e-6);
        if (fontPx > fontPxMin) assert.ok(rows * 1.6 * fontPx <= box.height + 1e-6);
      },
    ),
  );
});

test('a wall has paths where they leave room for a large text', () => {
  const desktop = { width: 1412, height: 850 };
  const few = wallWithPaths(20, 15.4, desktop);
  assert.ok(few.hasPaths && few.fontPx >= wallLayout(20, 15.4, desktop).fontPx * 0.75);
  const many = wallWithPaths(186, 15.4, desktop);
  assert.deepEqual(many, { ...wallLayout(186, 15.4, desktop), hasPaths: false });
});
