import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import {
  firstEpochDay,
  lastEpochDay,
  type EpochDay,
} from '../../../src/domain/calendar/plain-date.ts';
import type { CloseDays, CloseTarget } from '../../../src/import/closes/close-target.ts';
import { judgeSeries } from '../../../src/domain/history/judge/judge.ts';
import { FileSeries } from '../../../src/import/file-series.ts';
import { ImportTally } from '../../../src/import/reports/import-summary.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { ImportRig } from '../support/import-into.ts';
import { testStamp } from '../../support/market/test-change.ts';

const everything = { from: firstEpochDay, to: lastEpochDay };

/** One close of a file, and whether a batch ends after it. */
interface Step {
  readonly day: number;
  readonly close: number;
  readonly isFlushed: boolean;
}

/** What a merge counts and reports. */
interface Reported {
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  readonly rejected: number;
  readonly jumps: readonly string[];
}

async function merge(
  rig: ImportRig,
  target: CloseTarget,
  steps: readonly Step[],
): Promise<Reported> {
  const tally = new ImportTally();
  let rejected = 0;
  const jumps = await rig.store.history.transaction(async (transaction) => {
    const series = new FileSeries(target, tally, () => void (rejected += 1));
    for (const [line, { day, close, isFlushed }] of steps.entries()) {
      series.offer({ day: day as EpochDay, close, volume: null }, line, []);
      if (isFlushed) await series.merge(transaction);
    }
    await series.merge(transaction);
    const doubts = await series.doubts(transaction);
    return doubts.map(({ before, bar }) => `${before?.day ?? ''} ${bar.day}`);
  }, testStamp);
  const { added, changed, same, replaced } = tally.counts;
  assert.equal(replaced, 0, 'closes without a source are not in conflict');
  return { added, changed, same, rejected, jumps };
}

function firstOfEachDay(steps: readonly Step[]): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  for (const { day, close } of steps) if (!first.has(day)) first.set(day, close);
  return first;
}

/** Every day has a session that is over. */
const anyDay: CloseDays = {
  today: lastEpochDay,
  lastOver: lastEpochDay,
  isSession: () => true,
  timeZone: 'UTC',
  hoursOf: () => ({ openMinute: 0, closeMinute: 1440 }),
};

const step = fc.record({
  day: fc.integer({ min: -5, max: 60 }),
  close: fc.constantFrom(1, 1.1, 2, 10),
  isFlushed: fc.boolean(),
});

test('in any order, with any repeats and batches, the first close of a day is stored and every jump is reported once', async () => {
  await using rig = await ImportRig.open();
  const { instruments } = makeUniverse(
    Array.from({ length: 101 }, (_, at) => ({ ticker: `T${at}` })),
  );
  const targets = instruments.map((instrument): CloseTarget => ({
    instrument,
    isPrice: true,
    hasVolume: true,
    actions: [],
    days: anyDay,
  }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      // Each run uses another instrument, so its part of the store is empty.
      const target = targets.pop() ?? assert.fail('more runs than instruments');
      const expected = [...firstOfEachDay(steps)]
        .map(([day, close]): DailyClose => ({ day: day as EpochDay, close, volume: null }))
        .sort((a, b) => a.day - b.day);
      const context = { kind: target.instrument.kind, actions: [] };
      const jumps = [...judgeSeries(expected, context)].flatMap(({ before, bar, judgement }) =>
        judgement.verdict === 'believed' && judgement.move === undefined
          ? []
          : [`${before?.day ?? ''} ${bar.day}`],
      );

      const first = await merge(rig, target, steps);
      const { ticker } = target.instrument;
      const stored = await rig.store.history.transaction(
        (one) => one.read(ticker, everything),
        testStamp,
      );
      assert.deepEqual(stored, expected);
      assert.deepEqual(first.jumps, jumps);
      assert.equal(first.added, expected.length);
      assert.equal(first.changed, 0);
      assert.equal(first.added + first.same + first.rejected, steps.length);

      const revision = await rig.revision();
      const second = await merge(rig, target, steps);
      assert.deepEqual(second, { ...first, added: 0, same: first.same + first.added });
      assert.equal(await rig.revision(), revision);
    }),
    // Shrinking would need more instruments than exist, and a failing run is small enough to read.
    { numRuns: 100, endOnFailure: true },
  );
});

test('a jump is reported once in a file of several batches, and closes more than 45 days apart are not compared', async () => {
  await using rig = await ImportRig.open();
  const [instrument = assert.fail()] = makeUniverse([{ ticker: 'T' }]).instruments;
  const target: CloseTarget = {
    instrument,
    isPrice: true,
    hasVolume: true,
    actions: [],
    days: anyDay,
  };
  const { jumps } = await merge(rig, target, [
    { day: 0, close: 1, isFlushed: true },
    { day: 9_968, close: 2, isFlushed: false },
    { day: 9_969, close: 4, isFlushed: false },
    { day: 9_970, close: 8, isFlushed: false },
    { day: 9_971, close: 16, isFlushed: false },
    { day: 30_000, close: 32, isFlushed: false },
  ]);
  assert.deepEqual(jumps, ['9968 9969', '9969 9970', '9970 9971']);
  assert.equal((await rig.closes('T')).size, 6);
});
