import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { labelHeight, markerRadius, placeLabels } from './place-labels.ts';

const frame = { left: 50, top: 10, right: 400, bottom: 300 };

test('no text covers another text or a marker, and none leaves the frame', () => {
  const point = fc.record({
    x: fc.integer({ min: frame.left, max: frame.right }),
    y: fc.integer({ min: frame.top, max: frame.bottom }),
    width: fc.integer({ min: 20, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 40 }), (drawn) => {
      const points = drawn.map((one, at) => ({ ...one, id: String(at) }));
      const labels = placeLabels(points, frame);
      const boxes = points.flatMap(({ id, width }) => {
        const label = labels.get(id);
        if (label === undefined) return [];
        return [{ left: label.x, right: label.x + width, y: label.y }];
      });
      for (const [at, box] of boxes.entries()) {
        assert.ok(box.left >= frame.left && box.right <= frame.right);
        assert.ok(box.y >= frame.top + labelHeight / 2 && box.y <= frame.bottom - labelHeight / 2);
        for (const other of boxes.slice(at + 1)) {
          const isBeside = box.right <= other.left || other.right <= box.left;
          assert.ok(isBeside || Math.abs(box.y - other.y) >= labelHeight);
        }
        for (const { x, y } of points) {
          const isAcross = x > box.left - markerRadius + 1 && x < box.right + markerRadius - 1;
          assert.ok(!isAcross || Math.abs(y - box.y) >= labelHeight / 2 + markerRadius - 1);
        }
      }
    }),
  );
});

test('a text is at the right of a lone marker, and at the left at the right end', () => {
  const lone = placeLabels([{ id: 'A', x: 100, y: 100, width: 40 }], frame).get('A');
  assert.ok(lone !== undefined && lone.x > 100 && lone.y === 100);
  const atEnd = placeLabels([{ id: 'A', x: 390, y: 100, width: 40 }], frame).get('A');
  assert.ok(atEnd !== undefined && atEnd.x + 40 < 390);
});

test('a text stays on its side while that is free', () => {
  const points = [{ id: 'A', x: 200, y: 100, width: 40 }];
  const before = new Map([['A', { x: 0, y: 0, side: 3 }]]);
  assert.equal(placeLabels(points, frame, before).get('A')?.side, 3);
  const crowded = [...points, { id: 'B', x: 200, y: 114, width: 40 }];
  assert.notEqual(placeLabels(crowded, frame, before).get('A')?.side, 3);
});
