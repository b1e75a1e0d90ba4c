import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { IntradayRow } from '../../market/api/quote.ts';
import { drawPath, pathOf, withQuote } from './session-path.ts';

function bar(fecha: string, hora: string, ultimo: number): IntradayRow {
  const prices = { apertura: 1, maximo: ultimo, minimo: 1, ultimo };
  return { especie: 'GGAL', fecha, hora, ...prices, volumen: null };
}

const box = { width: 100, height: 20 };

test('a path has the bars of the last session alone', () => {
  const path = pathOf([
    bar('2026-11-19', '16:55:00', 1),
    bar('2026-11-20', '11:00:00', 2),
    bar('2026-11-20', '11:05:00', 3),
  ]);
  assert.deepEqual(path, {
    day: '2026-11-20',
    points: [
      { minute: 660, price: 1 },
      { minute: 665, price: 2 },
      { minute: 670, price: 3 },
    ],
  });
  assert.equal(pathOf([]), undefined);
});

test('a quote moves the end of a path, or begins the next five minutes', () => {
  const path = pathOf([bar('2026-11-20', '11:00:00', 2)]);
  const moved = withQuote(path, { fecha: '2026-11-20', hora: '11:04:59', ultimo: 5 });
  assert.deepEqual(moved?.points.slice(1), [{ minute: 665, price: 5 }]);
  const next = withQuote(moved, { fecha: '2026-11-20', hora: '11:05:00', ultimo: 6 });
  assert.deepEqual(next?.points.slice(1), [
    { minute: 665, price: 5 },
    { minute: 670, price: 6 },
  ]);
});

test('a quote of a later session begins a new path, and one of an earlier session or without a time changes nothing', () => {
  const path = pathOf([bar('2026-11-20', '11:00:00', 2)]);
  const next = withQuote(path, { fecha: '2026-11-23', hora: '11:00:00', ultimo: 9 });
  const points = [660, 665].map((minute) => ({ minute, price: 9 }));
  assert.deepEqual(next, { day: '2026-11-23', points });
  assert.equal(withQuote(path, { fecha: '2026-11-20', ultimo: 9 }), path);
  assert.equal(withQuote(path, { fecha: '2026-11-19', hora: '16:59:00', ultimo: 9 }), path);
  assert.equal(withQuote(undefined, { fecha: '2026-11-20', ultimo: 9 }), undefined);
});

test('a session that continues after midnight in Buenos Aires continues its path', () => {
  const path = pathOf([bar('2026-11-20', '23:55:00', 2), bar('2026-11-20', '00:10:00', 3)]);
  assert.deepEqual(
    path?.points.map(({ minute }) => minute),
    [1435, 1440, 1455],
  );
});

test('a drawing stays within its box, and so does the previous close unless it is far away', () => {
  const price = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(fc.array(price, { minLength: 1, maxLength: 60 }), price, (prices, previous) => {
      const points = prices.map((one, at) => ({ minute: at * 5, price: one }));
      const { line, baseY } = drawPath({ day: '2026-11-20', points }, previous, box);
      const places = line.slice(1).split(' ');
      assert.ok(places.length >= 2, line);
      for (const place of places) {
        const [x = -1, y = -1] = place.split(',').map(Number);
        assert.ok(x >= 0 && x <= box.width && y >= 0 && y <= box.height, line);
      }
      const isFar = baseY === undefined;
      const span = Math.max(...prices) - Math.min(...prices);
      assert.equal(
        isFar,
        span < (Math.max(...prices, previous) - Math.min(...prices, previous)) * 0.3,
      );
      if (!isFar) assert.ok(baseY >= 0 && baseY <= box.height);
    }),
  );
});

test('a higher price is drawn higher, and the last one at the right edge', () => {
  const points = [
    { minute: 660, price: 10 },
    { minute: 690, price: 12 },
  ];
  const drawing = drawPath({ day: '2026-11-20', points }, 11, box);
  assert.deepEqual(drawing, { line: 'M0,20 100,0', baseY: 10 });
  assert.equal(drawPath({ day: '2026-11-20', points: [] }, 11, box).line, '');
});
