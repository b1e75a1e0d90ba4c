import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';

import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { Outcome } from '../../engine/engine.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { IntakeOutcome } from './feed-state.ts';
import type { Pushed } from '../../feeds/shapes/map-update.ts';
import { notStored, pushUpdates } from './push-updates.ts';
import { deferred } from '../../../test/support/wait.ts';

const chunkLength = 1_000;

/** A body of `chunks` chunks that records how far it was read. */
function body(chunks: number): {
  readonly pushed: AsyncIterable<readonly Pushed[]>;
  readonly taken: () => number;
} {
  let taken = 0;
  async function* read(): AsyncIterable<readonly Pushed[]> {
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      await nextTurn();
      taken += 1;
      yield Array.from({ length: chunkLength }, (_, index) => {
        const line = chunk * chunkLength + index + 1;
        return { line, update: { ticker: 'GGAL' as Ticker, at: line, last: line } };
      });
    }
  }
  return { pushed: read(), taken: () => taken };
}

const update: Update = { ticker: 'GGAL' as Ticker, at: 1, last: 1 };
const notJson = { refused: 'not-json', detail: 'Not JSON.' } as const;

/** A body of these chunks, which then fails if `fault` is given. */
async function* bodyOf(
  chunks: readonly (readonly Pushed[])[],
  fault?: Error,
): AsyncIterable<readonly Pushed[]> {
  yield* chunks;
  if (fault !== undefined) throw fault;
}

/** The report of a push of nothing. */
const nothing = {
  received: 0,
  accepted: 0,
  unchanged: 0,
  earlierSession: 0,
  offHours: 0,
  noPriceYet: 0,
  held: 0,
  repeatedSession: 0,
  superseded: 0,
  refused: 0,
  rangesRefused: 0,
  booksRefused: 0,
  refusals: [],
  refusalsOmitted: 0,
};

const accepted = (updates: readonly Update[]): readonly Outcome[] => updates.map(() => 'accepted');

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

test('while a batch is not durable, reading continues up to the limit', async () => {
  const disk = deferred<void>();
  const batches: number[] = [];
  const submit = async (updates: readonly Update[]): Promise<readonly Outcome[]> => {
    batches.push(updates.length);
    await disk.promise;
    return accepted(updates);
  };
  const { pushed, taken } = body(100);
  const pushing = pushUpdates(pushed, { submit });
  await turns(50);
  // The first chunk is under way, five chunks wait, and reading pauses.
  assert.deepEqual(batches, [1_000]);
  assert.equal(taken(), 6);
  disk.resolve();
  const { report, stoppedBy } = await pushing;
  assert.equal(stoppedBy, undefined);
  assert.equal(report.accepted, 100_000);
  assert.ok(batches.every((length) => length <= 5_000 + chunkLength));
});

test('a store fault stops the reading, and only durable updates are counted', async () => {
  let calls = 0;
  const submit = async (updates: readonly Update[]): Promise<readonly Outcome[]> => {
    calls += 1;
    await nextTurn();
    if (calls > 2) throw new StoreFault('unavailable', 'disk full');
    return accepted(updates);
  };
  const { pushed, taken } = body(100);
  const { report, stoppedBy } = await pushUpdates(pushed, { submit });
  assert.ok(stoppedBy instanceof StoreFault);
  assert.equal(calls, 3);
  assert.ok(taken() < 20);
  assert.ok(report.accepted > 0 && report.accepted < report.received);
});

test('when the body fails, the result has the fault, and the updates read before it are submitted', async () => {
  const fault = new Error('cut');
  const { report, stoppedBy } = await pushUpdates(
    bodyOf([[{ line: 1, update }], [{ line: 2, ...notJson }]], fault),
    { submit: (updates) => Promise.resolve(accepted(updates)) },
  );
  assert.equal(stoppedBy, fault);
  assert.deepEqual(report, {
    ...nothing,
    received: 2,
    accepted: 1,
    refused: 1,
    refusals: [{ line: 2, reason: 'not-json', detail: 'Not JSON.' }],
  });
});

test('refusals are listed in the order of their lines', async () => {
  const { report } = await pushUpdates(
    bodyOf([
      [
        { line: 1, update },
        { line: 2, ...notJson },
      ],
    ]),
    { submit: () => Promise.resolve([{ refused: 'unknown-ticker' }]) },
  );
  assert.deepEqual(
    report.refusals.map(({ line, reason }) => [line, reason]),
    [
      [1, 'unknown-ticker'],
      [2, 'not-json'],
    ],
  );
});

test('the report of a push that was not read counts nothing', () => {
  const fault = new StoreFault('busy', 'not open');
  const { report, stoppedBy } = notStored(fault);
  assert.deepEqual([stoppedBy, report], [fault, nothing]);
});

test('every outcome is counted under its name, and only refusals of updates or of parts of them are listed', async () => {
  const counts: readonly (readonly [count: number, outcome: IntakeOutcome])[] = [
    [2, 'accepted'],
    [1, 'unchanged'],
    [3, 'earlier-session'],
    [4, 'off-hours'],
    [1, { refused: 'unknown-ticker' }],
    [5, 'superseded'],
    [3, 'held'],
    [2, 'repeated-session'],
    [1, 'no-price-yet'],
    [1, { refused: 'implausible', part: 'range' }],
    [1, { refused: 'not-whole', part: 'book' }],
  ];
  const outcomes = counts.flatMap(([count, outcome]) => Array<IntakeOutcome>(count).fill(outcome));
  const chunk = outcomes.map((_, index) => ({ line: index + 1, update }));
  const { report } = await pushUpdates(bodyOf([chunk]), { submit: async () => outcomes });
  assert.deepEqual(report, {
    ...nothing,
    received: 24,
    accepted: 4,
    unchanged: 1,
    earlierSession: 3,
    offHours: 4,
    noPriceYet: 1,
    held: 3,
    repeatedSession: 2,
    superseded: 5,
    refused: 1,
    rangesRefused: 1,
    booksRefused: 1,
    refusals: [
      { line: 11, ticker: 'GGAL', reason: 'unknown-ticker' },
      { line: 23, ticker: 'GGAL', reason: 'range-implausible' },
      { line: 24, ticker: 'GGAL', reason: 'book-not-whole' },
    ],
  });
});

test('after a batch that could not be stored, at most one more chunk of the body is read', async () => {
  let taken = 0;
  async function* slowly(): AsyncIterable<readonly Pushed[]> {
    for (let line = 1; line <= 200; line += 1) {
      await nextTurn();
      taken += 1;
      yield [{ line, update }];
    }
  }
  const fault = new StoreFault('unavailable', 'the disk is full');
  const { stoppedBy } = await pushUpdates(slowly(), { submit: () => Promise.reject(fault) });
  assert.equal(stoppedBy, fault);
  assert.ok(taken <= 4, `${taken} chunks`);
});

test('a refusal in any batch has its line number and the start of its ticker', async () => {
  const ticker = 'X'.repeat(61) as Ticker;
  async function* twoBatches(): AsyncIterable<readonly Pushed[]> {
    yield [{ line: 4, update }];
    await turns(5);
    yield [{ line: 9, update: { ...update, ticker } }];
  }
  const batches: (readonly [updates: number, isContinued: boolean | undefined])[] = [];
  const { report } = await pushUpdates(twoBatches(), {
    submit: async (updates, _bars, { isContinued } = {}) => {
      batches.push([updates.length, isContinued]);
      return updates.map(() => ({ refused: 'unknown-ticker' }) as const);
    },
  });
  const ended = [0, undefined];
  assert.deepEqual(batches, [[1, true], ended, [1, true], ended], 'each is ended without the next');
  assert.deepEqual(report.refusals, [
    { line: 4, ticker: 'GGAL', reason: 'unknown-ticker' },
    { line: 9, ticker: 'X'.repeat(60), reason: 'unknown-ticker' },
  ]);
});

test('when the body and then the store fail, the fault of the store is reported', async () => {
  const full = new StoreFault('unavailable', 'disk full');
  const { report, stoppedBy } = await pushUpdates(
    bodyOf([[{ line: 1, update }]], new Error('cut')),
    { submit: () => Promise.reject(full) },
  );
  assert.equal(stoppedBy, full);
  assert.deepEqual([report.received, report.accepted], [1, 0]);
});

test('a push ends only when the batch that waited behind another one is durable', async () => {
  const batches: (() => void)[] = [];
  const submit = async (updates: readonly Update[]): Promise<readonly Outcome[]> => {
    await new Promise<void>((resolve) => batches.push(resolve));
    return accepted(updates);
  };
  async function* slowly(): AsyncIterable<readonly Pushed[]> {
    yield [{ line: 1, update }];
    await turns(3);
    yield [{ line: 2, update }];
  }
  let isOver = false;
  const pushed = pushUpdates(slowly(), { submit }).finally(() => {
    isOver = true;
  });
  await turns(10);
  batches[0]?.();
  await turns(10);
  assert.deepEqual([batches.length, isOver], [2, false]);
  batches[1]?.();
  assert.equal((await pushed).report.accepted, 2);
});

test('a body that has arrived as a whole is submitted as one batch', async () => {
  const batches: number[] = [];
  const submit = async (updates: readonly Update[]): Promise<readonly Outcome[]> => {
    batches.push(updates.length);
    return accepted(updates);
  };
  const pushed = [
    { line: 1, update },
    { line: 2, ...notJson },
    { line: 3, update },
  ];
  const { report, stoppedBy } = await pushUpdates(pushed, { submit });
  assert.deepEqual(batches, [2]);
  assert.equal(stoppedBy, undefined);
  assert.deepEqual([report.received, report.accepted, report.refused], [3, 2, 1]);
  const fault = new StoreFault('unavailable', 'disk full');
  const failed = await pushUpdates(pushed, { submit: () => Promise.reject(fault) });
  assert.equal(failed.stoppedBy, fault);
  assert.deepEqual([failed.report.received, failed.report.accepted], [3, 0]);
});

test('updates that arrive in the same turn of the event loop are one batch', async () => {
  const batches: number[] = [];
  const submit = async (updates: readonly Update[]): Promise<readonly Outcome[]> => {
    batches.push(updates.length);
    return accepted(updates);
  };
  await pushUpdates(bodyOf([[{ line: 1, update }], [{ line: 2, update }]]), { submit });
  assert.deepEqual(batches, [2, 0]);
});

test('what has arrived while a batch is under way continues it', async () => {
  const disk = deferred<void>();
  const batches: (readonly [updates: number, isContinued: boolean | undefined])[] = [];
  async function* pieces(): AsyncIterable<readonly Pushed[]> {
    yield [{ line: 1, update }];
    await turns(5);
    yield [{ line: 2, update }];
    disk.resolve();
  }
  await pushUpdates(pieces(), {
    submit: async (updates, _bars, { isContinued } = {}) => {
      batches.push([updates.length, isContinued]);
      await disk.promise;
      return accepted(updates);
    },
  });
  assert.deepEqual(batches, [
    [1, true],
    [1, false],
  ]);
});

test('at most a hundred refusals of updates, books and ranges are listed, and the others are counted', async () => {
  const kinds = [
    { refused: 'not-whole', part: 'book' },
    { refused: 'implausible', part: 'range' },
    { refused: 'in-future' },
  ] as const satisfies readonly Outcome[];
  for (const [count, omitted] of [
    [99, 0],
    [102, 3],
  ] as const) {
    const outcomes = Array.from({ length: count }, (_, index) => kinds[index % 3] ?? 'accepted');
    const chunk = [
      ...outcomes.map((_, index) => ({ line: index + 1, update })),
      { line: count + 1, ...notJson },
    ];
    const { report } = await pushUpdates(bodyOf([chunk]), { submit: async () => outcomes });
    assert.deepEqual([report.refusals.length, report.refusalsOmitted], [100, omitted]);
    assert.deepEqual(report.booksRefused + report.rangesRefused + report.refused, count + 1);
  }
});
