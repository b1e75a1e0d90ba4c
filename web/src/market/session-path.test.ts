import assert from 'node:assert/strict';
import { test } from 'node:test';

import { drawPath, pathEnds, pathOf, withQuote } from './session-path.ts';

import * as fc from 'fast-check';

/** The path of a session that opens at 11:00, in steps of five minutes. */
function path(...valores: readonly (number | null)[]) {
  const hours = { fecha: '2026-11-20', desde: '11:00:00', pasoMinutos: 5 };
  return pathOf({ especie: 'GGAL', ...hours, valores });
}

function quote(hora: string, ultimo: number, fecha = '2026-11-20') {
  return { fecha, hora, ultimo };
}

const box = { width: 100, height: 20 };

test('a quote moves the end of a path, or adds the steps up to its own', () => {
  const moved = withQuote(path(2), quote('11:04:59', 5));
  assert.deepEqual(moved?.prices, [5]);
  assert.deepEqual(withQuote(moved, quote('11:05:00', 6))?.prices, [5, 6]);
  assert.deepEqual(withQuote(moved, quote('11:17:00', 6))?.prices, [5, null, null, 6]);
  assert.equal(withQuote(moved, quote('11:04:59', 5)), moved, 'the same price changes nothing');
});

test('a quote of a later session begins a new path, and one from before or without a time changes nothing', () => {
  const before = path(2, 3);
  const next = withQuote(before, quote('11:06:00', 9, '2026-11-23'));
  assert.deepEqual(next, { ...before, day: '2026-11-23', prices: [null, 9] });
  assert.equal(withQuote(before, { fecha: '2026-11-20', ultimo: 9 }), before);
  assert.equal(withQuote(before, quote('16:59:00', 9, '2026-11-19')), before);
  assert.equal(withQuote(before, quote('11:04:00', 9)), before);
  assert.equal(withQuote(undefined, { fecha: '2026-11-20', ultimo: 9 }), undefined);
});

test('an instrument without a path begins one with its first quote', () => {
  const first = withQuote(undefined, quote('14:33:20', 7));
  assert.deepEqual(first, { day: '2026-11-20', openMinute: 870, stepMinutes: 5, prices: [7] });
});

test('a session that continues after midnight in Buenos Aires continues its path', () => {
  const hours = { fecha: '2026-11-20', desde: '21:00:00', pasoMinutos: 15 };
  const whole = pathOf({ especie: 'BTC', ...hours, valores: [1] });
  assert.equal(withQuote(whole, quote('00:10:00', 3))?.prices.length, 13);
  assert.equal(withQuote(whole, quote('20:59:59', 3))?.prices.length, 96);
});

test('a price from before the open is in the first step, and one from long after in the hundredth', () => {
  assert.deepEqual(withQuote(path(), quote('10:50:00', 3))?.prices, [3]);
  assert.equal(withQuote(path(2), quote('20:30:00', 3))?.prices.length, 100);
});

test('a drawing stays within its box, and so does the previous close unless it is far away', () => {
  const price = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
  const steps = fc.array(fc.option(price, { freq: 4 }), { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(steps, price, (prices, previous) => {
      const known = prices.filter((one) => one !== null);
      const { line, baseY } = drawPath({ prices }, previous, box);
      if (known.length === 0) return assert.equal(line, '');
      for (const place of line.slice(1).split(/[ H]/)) {
        const [x = -1, y = 0] = place.split(',').map(Number);
        assert.ok(x >= 0 && x <= box.width && y >= 0 && y <= box.height, line);
      }
      const isFar = baseY === undefined;
      const span = Math.max(...known) - Math.min(...known);
      assert.equal(
        isFar,
        span < (Math.max(...known, previous) - Math.min(...known, previous)) * 0.3,
      );
      if (!isFar) assert.ok(baseY >= 0 && baseY <= box.height);
    }),
  );
});

test('a higher price is drawn higher, the last one at the right edge, and a gap as a line', () => {
  const { prices } = path(10, null, 11, 12);
  assert.deepEqual(drawPath({ prices }, 11, box), { line: 'M0,20 66.7,10 100,0', baseY: 10 });
  assert.equal(drawPath({ prices: [] }, 11, box).line, '');
  assert.equal(drawPath({ prices: [null, 5] }, undefined, box).line, 'M0,10H100');
  assert.deepEqual(pathEnds(path(null, 10, null, 12, null)), { first: 10, last: 12 });
  assert.equal(pathEnds(path(null)), undefined);
});
