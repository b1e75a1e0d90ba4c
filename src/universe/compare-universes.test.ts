import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../test/support/make-universe.ts';
import { compareUniverses } from './compare-universes.ts';

const nothing = { added: [], removed: [], changed: [], panels: [], markets: [] };

test('two loads of one universe have no differences', () => {
  const [first, second] = [1, 2].map(() =>
    makeUniverse([{ ticker: 'GGAL', panels: ['LID'] }, { ticker: 'AL30' }]),
  );
  assert.ok(first !== undefined && second !== undefined);
  assert.deepEqual(compareUniverses(first, second), nothing);
});

test('added, removed and changed instruments are listed by ticker', () => {
  const from = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }, { ticker: 'AL30' }]);
  const to = makeUniverse([
    { ticker: 'AL30', decimals: 2 },
    { ticker: 'GGAL' },
    { ticker: 'PAMP' },
  ]);
  assert.deepEqual(compareUniverses(from, to), {
    ...nothing,
    added: ['PAMP'],
    removed: ['YPFD'],
    changed: ['AL30'],
  });
});

test('reordering instruments changes the panels that contain them, and no instrument', () => {
  const [a, b] = [
    { ticker: 'GGAL', panels: ['LID'] },
    { ticker: 'YPFD', panels: ['LID'] },
  ] as const;
  const changes = compareUniverses(makeUniverse([a, b]), makeUniverse([b, a]));
  assert.deepEqual(changes, { ...nothing, panels: ['LID'] });
});
