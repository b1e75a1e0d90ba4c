import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { DailyClose } from '../../src/domain/daily-close.ts';
import { firstEpochDay, lastEpochDay } from '../../src/domain/plain-date.ts';
import type { EpochDay } from '../../src/domain/plain-date.ts';
import type { CloseTarget } from '../../src/import/close-target.ts';
import { FileMerge } from '../../src/import/file-merge.ts';
import { findJumps } from '../../src/import/jumps.ts';
import { makeUniverse } from '../support/make-universe.ts';
import { ImportRig } from './import-into.ts';

const everything = { from: firstEpochDay, to: lastEpochDay };

/** One close of a file, and whether a batch ends after it. */
interface Step {
  readonly day: number;
  readonly close: number;
  readonly isFlushed: boolean;
}

/** The callbacks of a merge. */
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
  const counts = { added: 0, changed: 0, same: 0, rejected: 0 };
  const jumps: string[] = [];
  await rig.store.history.transaction(async (transaction) => {
    const file = new FileMerge(transaction, {
      onStored: (_, outcome) => void (counts[outcome] += 1),
      onRejected: () => void (counts.rejected += 1),
      onJump: (_, { previous, close }) => void jumps.push(`${previous.day} ${close.day}`),
    });
    for (const [line, { day, close, isFlushed }] of steps.entries()) {
      file.offer(target, { day: day as EpochDay, close, volume: null }, line, []);
      if (isFlushed) await file.flush();
    }
    await file.finish();
  });
  return { ...counts, jumps };
}

function firstOfEachDay(steps: readonly Step[]): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  for (const { day, close } of steps) if (!first.has(day)) first.set(day, close);
  return first;
}

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
    jumpLimitPct: 40,
    days: { today: lastEpochDay, lastOver: lastEpochDay, isSession: () => true },
  }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      // Each run uses another instrument, so its part of the store is empty.
      const target = targets.pop() ?? assert.fail('more runs than instruments');
      const expected = [...firstOfEachDay(steps)]
        .map(([day, close]): DailyClose => ({ day: day as EpochDay, close, volume: null }))
        .sort((a, b) => a.day - b.day);
      const jumps = [...findJumps(expected, 40)].map(
        ({ previous, close }) => `${previous.day} ${close.day}`,
      );

      const first = await merge(rig, target, steps);
      const { ticker } = target.instrument;
      const stored = await rig.store.history.transaction((one) => one.read(ticker, everything));
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
