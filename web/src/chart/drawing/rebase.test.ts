import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dailyBars, type Bar } from './bars.ts';
import { pricePoints, rebasedPoints } from './rebase.ts';

function series(...rows: readonly (readonly [string, number])[]): readonly Bar[] {
  return dailyBars(rows.map(([fecha, ultimo]) => ({ especie: 'X', fecha, ultimo, volumen: null })));
}

const older = series(['2026-01-01', 50], ['2026-01-02', 200], ['2026-01-05', 100]);
const younger = series(['2026-01-02', 3], ['2026-01-05', 6]);

test('series are compared from the first day on which all have started, where each is 100', () => {
  const [first, second] = rebasedPoints([older, younger], '2026-01-01');
  assert.deepEqual(first, [
    { time: '2026-01-02', value: 100 },
    { time: '2026-01-05', value: 50 },
  ]);
  assert.deepEqual(
    second?.map(({ value }) => value),
    [100, 200],
  );
});

test('a series without a base above zero is empty and does not affect the others', () => {
  const [zero, empty, good] = rebasedPoints([series(['2026-01-01', 0]), [], younger], '2026-01-01');
  assert.deepEqual([zero, empty], [[], []]);
  assert.equal(good?.length, 2);
});

test('prices start on the requested day', () => {
  assert.deepEqual(pricePoints(older, '2026-01-03'), [{ time: '2026-01-05', value: 100 }]);
});
