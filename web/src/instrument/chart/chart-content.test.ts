import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dailyBars, intradayBars } from './bars.ts';
import { linesOf } from './chart-content.ts';

const day = (fecha: string, ultimo: number) => ({ especie: 'X', fecha, ultimo, volumen: null });
const own = dailyBars([day('2026-11-18', 2), day('2026-11-19', 4), day('2026-11-20', 8)]);
const other = dailyBars([day('2026-11-19', 5), day('2026-11-20', 6)]);

test('an instrument alone has all its closes, so that the user can move back in time', () => {
  const [line] = linesOf(['X'], [own], '2026-11-20');
  assert.deepEqual(
    line?.points.map(({ value }) => value),
    [2, 4, 8],
  );
  const minute = { apertura: 1, maximo: 1, minimo: 1, hora: '11:00:00' };
  const intraday = intradayBars([{ ...day('2026-11-20', 1), ...minute }]);
  assert.equal(linesOf(['X'], [intraday], 0)[0]?.points.length, 1);
});

test('compared instruments are rebased within the range, and an absent one is empty', () => {
  const lines = linesOf(['X', 'Y', 'Z'], [own, other], '2026-11-19');
  assert.deepEqual(
    lines.map(({ ticker, points }) => [ticker, points.map(({ value }) => value)]),
    [
      ['X', [100, 200]],
      ['Y', [100, 120]],
      ['Z', []],
    ],
  );
  assert.equal(lines[0]?.bars.length, 3);
});
