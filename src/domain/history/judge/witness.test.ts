import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay } from '../../calendar/plain-date.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judgement.ts';
import { overrules, type Witness } from './witness.ts';

const second = 1_000;
const noon = Date.parse('2026-11-20T12:00:00-03:00');

/** Reports of one source at these seconds. */
function reports(
  ...list: readonly (readonly [seconds: number, price: number])[]
): readonly Witness[] {
  return list.map(([seconds, price]) => ({ price, at: noon + seconds * second, source: 'one' }));
}

/** Reports of one source that is polled slowly. */
function slow(...list: readonly (readonly [seconds: number, price: number])[]): readonly Witness[] {
  return reports(...list).map((one) => ({ ...one, isPolledSlowly: true }));
}

/** Whether the last of these reports overrules a price together with those before it. */
function lastOverrules(list: readonly Witness[]): boolean {
  const last = list.at(-1);
  assert.ok(last);
  return overrules(last, list.slice(0, -1));
}

test('five different prices over two minutes overrule a close, four prices or a shorter time do not', () => {
  const five = [
    [0, 100],
    [30, 101],
    [60, 102],
    [90, 103],
    [120, 104],
  ] as const;
  assert.equal(lastOverrules(reports(...five)), true);
  assert.equal(
    lastOverrules(reports(...five.slice(0, 4), [130, 103])),
    false,
    'four different prices',
  );
  assert.equal(
    lastOverrules(reports(...five.slice(0, 4), [119, 104])),
    false,
    'less than two minutes',
  );
  assert.equal(lastOverrules(reports(...five.slice(0, 4), [120, 120])), false, 'it does not agree');
  const apart = reports([0, 92], [30, 93], [60, 94], [90, 108], [120, 100]);
  assert.equal(lastOverrules(apart), false, 'they do not agree with each other');
});

test('three reports in a row of a source that is polled slowly overrule a close', () => {
  for (const [name, list, isEnough] of [
    [
      'three',
      [
        [0, 100],
        [60, 100],
        [120, 101],
      ],
      true,
    ],
    [
      'after another one',
      [
        [0, 1_000],
        [60, 100],
        [120, 100],
        [180, 101],
      ],
      true,
    ],
    [
      'two',
      [
        [0, 100],
        [60, 100],
      ],
      false,
    ],
    [
      'not in a row',
      [
        [0, 100],
        [60, 1_000],
        [120, 101],
      ],
      false,
    ],
    [
      'one report, repeated',
      [
        [0, 100],
        [0, 100],
        [0, 100],
      ],
      false,
    ],
    [
      'one report, repeated, and a later one',
      [
        [0, 100],
        [0, 100],
        [60, 101],
      ],
      false,
    ],
    [
      'one of them of the same instant',
      [
        [0, 100],
        [120, 100],
        [120, 101],
      ],
      false,
    ],
    [
      'one of them later',
      [
        [0, 100],
        [200, 100],
        [120, 101],
      ],
      false,
    ],
  ] as const) {
    assert.equal(lastOverrules(slow(...list)), isEnough, name);
  }
  const [first, between, ...later] = slow([0, 100], [30, 1_000], [60, 100], [120, 101]);
  assert.ok(first && between);
  const list = [first, { ...between, source: 'two' }, ...later];
  assert.equal(lastOverrules(list), true, 'whatever another source reports meanwhile');
});

test('prices of two sources that agree overrule a close at once', () => {
  const [first, other] = reports([0, 100], [0, 101]);
  assert.ok(first && other);
  assert.equal(overrules({ ...other, source: 'two' }, [first]), true);
  assert.equal(overrules({ ...other, source: 'two', price: 120 }, [first]), false);
});

/** What the judge says about the last of these reports, after a price of 100 of another day. */
function judgedAfter(day: number, list: readonly Witness[]): Judgement {
  const report = list.at(-1);
  assert.ok(report);
  const before = { day: day as EpochDay, close: 100 };
  return judge(
    { day: 20 as EpochDay, close: report.price, report },
    { kind: 'share', actions: [], before, witnesses: list.slice(0, -1) },
  );
}

test('within a session as many witnesses are needed as against a close of an earlier session', () => {
  const all = reports([0, 500], [30, 505], [60, 510], [90, 515], [120, 520]);
  const move = 'unrecorded-split';
  for (const day of [19, 20]) {
    assert.deepEqual(judgedAfter(day, all.slice(0, 4)), { verdict: 'doubtful', reason: move });
    assert.deepEqual(judgedAfter(day, all), { verdict: 'believed', isOverruling: true, move });
  }
});
