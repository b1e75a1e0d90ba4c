import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clampWidth, readLayout, widthsPx } from './read-layout.ts';

const layout = { isOpenSplit: false, isOpenElsewhere: true, widthPx: 512 };

test('a stored layout is read as it was written, and anything else is refused', () => {
  assert.deepEqual(readLayout(JSON.parse(JSON.stringify(layout))), layout);
  for (const value of [
    null,
    'x',
    {},
    { ...layout, widthPx: null },
    { ...layout, isOpenSplit: 1 },
  ]) {
    assert.equal(readLayout(value), undefined, JSON.stringify(value));
  }
});

test('a width beyond the limits is the limit', () => {
  assert.equal(readLayout({ ...layout, widthPx: 10 })?.widthPx, widthsPx.least);
  assert.equal(readLayout({ ...layout, widthPx: 1e9 })?.widthPx, widthsPx.most);
  assert.equal(clampWidth(400.4), 400);
});
