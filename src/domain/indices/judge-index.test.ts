import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { EpochDay } from '../calendar/plain-date.ts';
import type { IndexName } from './index-name.ts';
import type { DayValue } from './index-series.ts';
import { agree, doubtfulDays } from './judge-index.ts';

const at = (day: number, value: number): DayValue => ({ day: day as EpochDay, value });

/** Values that rise by 0.5 % a day. */
function rising(from: number, to: number): DayValue[] {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    at(from + index, 700 * 1.005 ** (from + index)),
  );
}

/** A value that is a hundred times off. */
const slip = (day: number): DayValue => at(day, 100 * 700 * 1.005 ** day);

const doubted = (index: IndexName, stored: readonly DayValue[], offered: readonly DayValue[]) => [
  ...doubtfulDays(index, stored, offered),
];

test('values agree within the moves of the days between them, in either order', () => {
  assert.equal(agree('CER', at(0, 100), at(1, 100.9)), true);
  assert.equal(agree('CER', at(1, 100.9), at(0, 100)), true);
  assert.equal(agree('CER', at(0, 100), at(1, 104)), false);
  assert.equal(agree('CER', at(0, 100), at(30, 125.5)), true, 'a month of 25.5 %');
  assert.equal(agree('CER', at(0, 100), at(30, 250)), false);
  assert.equal(agree('IPC', at(0, 2), at(0, 200)), undefined, 'its values tell nothing');
  assert.equal(agree('A3500', at(0, 366.5), at(1, 799.95)), true, '2023-12-13');
  assert.equal(agree('A3500', at(0, 1_450), at(1, 14.5)), false);
  assert.equal(agree('A3500', at(0, 1), at(30, 1_450)), undefined, 'too far apart to tell');
  for (const [one, other] of [
    [100, 98],
    [100, 102],
  ] as const) {
    const revised = [at(0, one), at(0, other)] as const;
    assert.equal(agree('CER', ...revised), false, 'a revision of the same day is small');
  }
  assert.equal(agree('CER', at(0, 100), at(0, 100.9)), true);
  for (const [days, value, expected] of [
    [8, 2_900, true],
    [8, 3_100, false],
    [9, 1_000, undefined],
  ] as const) {
    assert.equal(agree('A3500', at(0, 1_000), at(days, value)), expected, `${days} days`);
  }
});

test('a value that is a hundred times off is doubted, also at the end and in a new series', () => {
  const stored = rising(0, 50);
  assert.deepEqual(doubted('CER', stored, [slip(51)]), [51]);
  assert.deepEqual(doubted('CER', stored, rising(51, 60).with(4, slip(55))), [55]);
  assert.deepEqual(doubted('CER', [], rising(0, 20).with(10, slip(10))), [10]);
  assert.deepEqual(doubted('UVA', stored, rising(45, 60)), []);
});

test('a whole batch in another unit is doubted, where stored values can tell', () => {
  const scaled = rising(45, 60).map(({ day, value }) => at(day, value * 100));
  assert.equal(doubted('CER', rising(0, 50), scaled).length, scaled.length);
});

test('a wrong stored value does not make the right one doubtful: one neighbour is enough', () => {
  const stored = rising(0, 50).with(20, at(20, 7));
  assert.deepEqual(doubted('CER', stored, rising(15, 25)), []);
});

test('the stored value of the day and those beside it bear witness, and no others', () => {
  const day = at(10, 100);
  for (const [name, stored, isDoubted] of [
    ['agrees with that of the day', [at(10, 100.5)], false],
    ['contradicts that of the day', [at(10, 7)], true],
    ['contradicts that before it', [at(9, 7)], true],
    ['contradicts that after it', [at(11, 7)], true],
    ['agrees with that of the day alone', [at(9, 7), at(10, 100.5), at(11, 7)], false],
    ['agrees with that before it alone', [at(9, 100.5), at(10, 7), at(11, 7)], false],
    ['agrees with that after it alone', [at(9, 7), at(10, 7), at(11, 100.5)], false],
    ['agrees with that after it, without one of the day', [at(9, 7), at(11, 100.5)], false],
    [
      'agrees only with those farther away',
      [at(8, 100), at(9, 7), at(10, 7), at(11, 7), at(12, 100)],
      true,
    ],
    [
      'agrees only with those farther away, without one of the day',
      [at(8, 100), at(9, 7), at(11, 7), at(12, 100)],
      true,
    ],
  ] as const) {
    assert.deepEqual(doubted('CER', stored, [day]), isDoubted ? [10] : [], name);
    // Too long ago to tell.
    const earlier = [at(-4_000, 100), at(-3_999, 100.5)];
    assert.deepEqual(
      doubted('CER', [...earlier, ...stored], [...earlier, day]).includes(10 as EpochDay),
      isDoubted,
      name,
    );
  }
  assert.deepEqual(doubted('CER', [], [at(0, 100), at(1, 7), at(2, 100.5)]), [0, 1, 2]);
});

test('what nothing stored or offered can tell is believed', () => {
  assert.deepEqual(doubted('TAMAR', [], [at(0, 31)]), []);
  assert.deepEqual(doubted('TAMAR', [at(0, 31)], [at(100, 3_100)]), []);
});

test('a series that rises smoothly is never doubted, whichever part of it is stored', () => {
  const moves = fc.array(fc.double({ min: 0.991, max: 1.029, noNaN: true }), { minLength: 2 });
  fc.assert(
    fc.property(moves, fc.array(fc.boolean(), { minLength: 1 }), (factors, isStored) => {
      let value = 100;
      const all = factors.map((factor, day) => at(day, (value *= factor)));
      const stored = all.filter(({ day }) => isStored[day % isStored.length] === true);
      assert.deepEqual(doubted('CER', stored, all), []);
    }),
  );
});
