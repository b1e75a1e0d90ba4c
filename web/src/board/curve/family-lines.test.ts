import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../../test/support/market/bond-figures.ts';
import type { Family } from './families.ts';
import { familyLines } from './family-lines.ts';

const placed = (family: Family, x: number, y: number) => ({
  point: {
    ticker: `${family}${x}`,
    family,
    duration: x,
    rate: y,
    bond: bondFigures({}),
    isEarlier: false,
  },
  x,
  y,
});

test('a line goes through the points of a family by duration, and two points have none', () => {
  const points = [
    placed('cer', 30, 5),
    placed('cer', 10, 7),
    placed('fija', 10, 1),
    placed('cer', 20, 6),
    placed('fija', 20, 2),
  ];
  assert.deepEqual(familyLines(points), [{ family: 'cer', path: 'M10.0 7.0L20.0 6.0L30.0 5.0' }]);
});
