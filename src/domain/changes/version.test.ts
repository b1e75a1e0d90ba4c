import assert from 'node:assert/strict';
import { test } from 'node:test';

import { valuesAt, type Version } from './version.ts';

interface Value {
  readonly day: number;
  readonly close: number;
}

function version(day: number, close: number, from: number, to?: number): Version<Value> {
  return {
    value: { day, close },
    stored: { at: from, origin: 'import' },
    ...(to === undefined ? {} : { replaced: { at: to, origin: 'fetch' } }),
  };
}

const dayOf = ({ day }: Value): number => day;

test('a value is known from the instant of its change until that of the next one', () => {
  const versions = [version(1, 10, 100, 200), version(1, 11, 200), version(2, 20, 150)];
  const closesAt = (instant: number) =>
    valuesAt(versions, instant, dayOf).map(({ close }) => close);
  assert.deepEqual(closesAt(99), []);
  assert.deepEqual(closesAt(100), [10]);
  assert.deepEqual(closesAt(150), [10, 20]);
  assert.deepEqual(closesAt(199), [10, 20]);
  assert.deepEqual(closesAt(200), [11, 20]);
  assert.deepEqual(closesAt(Infinity), [11, 20]);
});

test('a value that was removed is not known from then on, until it is stored again', () => {
  const versions = [version(1, 10, 100, 200), version(1, 10, 300)];
  assert.deepEqual(
    [199, 200, 299, 300].map((instant) => valuesAt(versions, instant, dayOf).length),
    [1, 0, 0, 1],
  );
});

test('after a clock was set back, of two values of one key the one stored later is given', () => {
  const versions = [version(1, 10, 50, 500), version(1, 11, 500, 120), version(1, 12, 120)];
  assert.deepEqual(valuesAt(versions, 150, dayOf), [{ day: 1, close: 12 }]);
  assert.deepEqual(valuesAt(versions, 60, dayOf), [{ day: 1, close: 10 }]);
});
