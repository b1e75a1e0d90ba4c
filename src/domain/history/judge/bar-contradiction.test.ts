import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay } from '../../calendar/plain-date.ts';
import { contradictionIn, type BarOfDay } from './judge.ts';

function bar(parts: Partial<BarOfDay>): BarOfDay {
  return { day: 10 as EpochDay, close: 100, ...parts };
}

const found = (one: BarOfDay, before?: BarOfDay) => contradictionIn(one, { kind: 'share', before });

test('a close may leave its range by half a unit of its last decimal, or by the error of single precision', () => {
  for (const [parts, isOut] of [
    [{ high: 100, low: 90 }, false],
    [{ high: 110, low: 100 }, false],
    [{ high: 110 }, false],
    [{ low: 90 }, false],
    [{ low: 101 }, true],
    [{ high: 99 }, true],
    [{ close: 110.5, high: 110, low: 90 }, false],
    [{ close: 110.51, high: 110, low: 90 }, true],
    [{ close: 89.5, high: 110, low: 90 }, false],
    [{ close: 89.49, high: 110, low: 90 }, true],
    [{ close: 110.04, open: 100.1, high: 110, low: 90 }, false],
    [{ close: 110.06, open: 100.1, high: 110, low: 90 }, true],
    [{ close: 110.009, open: 100.01, high: 110, low: 90 }, true],
    [{ close: 10_000_000, high: 9_999_998.5 }, false],
    [{ close: 10_000_000, high: 9_999_997.5 }, true],
  ] as const) {
    const expected = isOut ? 'out-of-range' : undefined;
    assert.equal(found(bar(parts)), expected, JSON.stringify(parts));
  }
});

test('any price of a bar that is further from its close than a session moves is a wide range', () => {
  for (const side of ['open', 'high'] as const) {
    assert.equal(found(bar({ [side]: 400 })), undefined);
    assert.equal(found(bar({ [side]: 401 })), 'wide-range');
  }
  assert.equal(found(bar({ low: 25 })), undefined);
  assert.equal(found(bar({ low: 24.9 })), 'wide-range');
});

test('a bar repeats an earlier one if price, range and volume are known and the same', () => {
  const whole = { close: 100, high: 110, low: 90, volume: 5 };
  const before = bar({ ...whole, day: 9 as EpochDay });
  assert.equal(found(bar(whole), before), 'repeated-session');
  assert.equal(found(bar(whole)), undefined);
  for (const day of [10, 11]) {
    assert.equal(found(bar(whole), { ...before, day: day as EpochDay }), undefined);
  }
  for (const other of [{ close: 99 }, { high: 111 }, { low: 89 }, { volume: 6 }]) {
    assert.equal(found(bar({ ...whole, ...other }), before), undefined, JSON.stringify(other));
  }
  for (const unknown of [
    { high: undefined },
    { low: undefined },
    { volume: 0 },
    { volume: null },
  ]) {
    const repeated = found(bar({ ...whole, ...unknown }), { ...before, ...unknown });
    assert.equal(repeated, undefined, JSON.stringify(unknown));
  }
});
