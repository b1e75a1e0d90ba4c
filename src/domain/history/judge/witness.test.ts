import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay } from '../../calendar/plain-date.ts';
import { judge } from './judge.ts';
import { isConfirmed, overrulesBase } from './witness.ts';
import type { Witness } from './witness.ts';

const second = 1_000;

/** Reports of one source at these seconds. */
function reports(
  ...list: readonly (readonly [seconds: number, price: number])[]
): readonly Witness[] {
  return list.map(([seconds, price]) => ({ price, at: seconds * second, source: 'one' }));
}

/** Reports of one source that is polled slowly. */
function slow(...list: readonly (readonly [seconds: number, price: number])[]): readonly Witness[] {
  return reports(...list).map((one) => ({ ...one, isPolledSlowly: true }));
}

function overrules(list: readonly Witness[]): boolean {
  const last = list.at(-1);
  assert.ok(last);
  return overrulesBase(last, list.slice(0, -1));
}

test('a later price within 10 percent confirms a price of the session, an equally old or a farther one does not', () => {
  const [first, later, far] = reports([0, 500], [1, 549], [2, 551]);
  assert.ok(first && later && far);
  assert.equal(isConfirmed(later, [first]), true);
  assert.equal(isConfirmed(far, [first]), false);
  assert.equal(isConfirmed({ ...later, at: first.at }, [first]), false);
});

test('five different prices over two minutes overrule a close, four prices or a shorter time do not', () => {
  const five = [
    [0, 100],
    [30, 101],
    [60, 102],
    [90, 103],
    [120, 104],
  ] as const;
  assert.equal(overrules(reports(...five)), true);
  assert.equal(overrules(reports(...five.slice(0, 4), [130, 103])), false, 'four different prices');
  assert.equal(overrules(reports(...five.slice(0, 4), [119, 104])), false, 'less than two minutes');
  assert.equal(overrules(reports(...five.slice(0, 4), [120, 120])), false, 'it does not agree');
});

test('a price that does not agree among those that do delays the decision by no more than itself', () => {
  assert.equal(
    overrules(reports([0, 100], [30, 101], [50, 1_010], [60, 102], [90, 103], [120, 104])),
    true,
  );
});

test('three reports in a row of a source that is polled slowly overrule a close', () => {
  assert.equal(overrules(slow([0, 100], [60, 100], [120, 101])), true);
  assert.equal(overrules(slow([0, 100], [60, 100])), false);
  assert.equal(overrules(slow([0, 100], [60, 1_000], [120, 101])), false, 'not in a row');
  assert.equal(overrules(slow([0, 100], [0, 100], [0, 100])), false, 'one report, repeated');
});

test('prices of two sources that agree overrule a close at once', () => {
  const [first, other] = reports([0, 100], [0, 101]);
  assert.ok(first && other);
  assert.equal(overrulesBase({ ...other, source: 'two' }, [first]), true);
  assert.equal(overrulesBase({ ...other, source: 'two', price: 120 }, [first]), false);
});

test('within a session one witness is enough, against a close of an earlier session it is not', () => {
  const [held, report] = reports([0, 500], [10, 505]);
  assert.ok(held && report);
  const today = 20 as EpochDay;
  const judged = (before: number) =>
    judge(
      { day: today, close: report.price, report },
      {
        kind: 'share',
        actions: [],
        before: { day: before as EpochDay, close: 100 },
        witnesses: [held],
      },
    );
  assert.deepEqual(judged(20), {
    verdict: 'believed',
    isOverruling: true,
    move: 'unrecorded-split',
  });
  assert.deepEqual(judged(19), { verdict: 'doubtful', reason: 'unrecorded-split' });
});
