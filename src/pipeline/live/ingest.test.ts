import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Derivation } from '../../domain/instruments/derivation.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { Engine, type Outcome } from '../../engine/engine.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { databaseFileName } from '../../store/sqlite/file/database-file.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { Ingest } from './ingest.ts';
import { Persist } from './persist.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { deferred } from '../../../test/support/wait.ts';
import { testClock } from '../../../test/support/market/test-change.ts';

const noon = Date.parse('2026-11-20T12:00:00-03:00');

test('the outcomes are in the order of the updates of the batch', async (t) => {
  const { ingest } = await open(t);
  const batch = [
    update('AL30', 1),
    update('AL30', 1),
    update('NOBODY', 1),
    update('AL30', -1),
    update('GGAL', 2),
  ];
  assert.deepEqual(await ingest.submit(batch), [
    'accepted',
    'unchanged',
    { refused: 'unknown-ticker' },
    { refused: 'not-positive' },
    'accepted',
  ]);
});

test('when submit resolves, the updates are durable and published', async (t) => {
  const { ingest, store, shown } = await open(t);
  await ingest.submit([update('AL30', 1), update('AL30', 2)]);
  assert.deepEqual(
    (await store.quotes.readAll()).map(({ session }) => session.last),
    [2],
  );
  assert.deepEqual(
    shown.map(({ last }) => last),
    [2],
  );
});

test('a batch that could not be stored may be submitted again', async (t) => {
  const { ingest, store, shown, lock } = await open(t);
  const release = lock();
  await assert.rejects(ingest.submit([update('AL30', 1)]), isBusy);
  assert.deepEqual(shown, []);
  release();
  assert.deepEqual(await ingest.submit([update('AL30', 1)]), ['unchanged']);
  assert.equal((await store.quotes.readAll()).length, 1);
  assert.equal(shown.length, 1);
});

test('a large batch does not block the event loop, and its order is preserved', async (t) => {
  const { ingest, shown } = await open(t);
  const large = Array.from({ length: 20_000 }, (_, index) => update('AL30', index + 1));
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const outcomes = await ingest.submit(large);
  isDone = true;
  assert.equal(outcomes.length, large.length);
  assert.ok(outcomes.every((outcome) => outcome === 'accepted'));
  assert.equal(shown.at(-1)?.last, large.length);
  assert.ok(turns >= 19, `${turns} turns of the event loop`);
});

test('when the observer throws, the updates that the engine accepted still become durable', async (t) => {
  const { ingest, shownOnce } = await open(t, () => {
    throw new Error('the metrics are broken');
  });
  await assert.rejects(ingest.submit([update('AL30', 1)]), /metrics are broken/);
  assert.equal((await shownOnce).last, 1);
});

test('the parts of a large batch are committed together, also when the observer throws before the last one', async (t) => {
  const large = Array.from({ length: 1_000 }, (_, at) => update('AL30', at + 1));
  const whole = await open(t);
  await whole.ingest.submit(large);
  assert.deepEqual(
    whole.shown.map(({ last }) => last),
    [1_000],
  );
  const { ingest, shownOnce } = await open(t, () => {
    throw new Error('the metrics are broken');
  });
  await assert.rejects(ingest.submit(large), /metrics are broken/);
  assert.equal((await shownOnce).last, 200);
});

test('a large batch of a writer that has lost its claim is rejected once', async () => {
  const engine = new Engine(makeUniverse([{ ticker: 'AL30' }]), {
    settleDelayMs: 0,
    nextVersion: 1,
  });
  const lost = new StoreFault('fenced', 'another writer has the claim');
  const persist = { submit: () => Promise.reject(lost) };
  const ingest = new Ingest({ engine, persist, clock: clockAt(() => noon) });
  const large = Array.from({ length: 1_000 }, (_, at) => update('AL30', at + 1));
  await assert.rejects(ingest.submit(large), lost);
});

test('the observer receives every update together with its outcome', async (t) => {
  const told: (readonly [string, Outcome])[] = [];
  const { ingest } = await open(t, (updates, outcomes) => {
    for (const [index, { ticker }] of updates.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) told.push([ticker, outcome]);
    }
  });
  await ingest.submit([update('AL30', 1), update('NOBODY', 2)]);
  assert.deepEqual(told, [
    ['AL30', 'accepted'],
    ['NOBODY', { refused: 'unknown-ticker' }],
  ]);
});

test('a batch that fits one part is folded before submit returns', async (t) => {
  let told = 0;
  const { ingest } = await open(t, (updates) => (told += updates.length));
  const submitted = ingest.submit([update('AL30', 1)]);
  assert.equal(told, 1);
  await submitted;
});

test('what is derived from several instruments of a batch is computed once, however far apart they are in it', async () => {
  const derivation = { type: 'ratio', numerator: 'AL30', denominator: 'GGAL' } as Derivation;
  const engine = new Engine(
    makeUniverse([{ ticker: 'AL30' }, { ticker: 'GGAL' }, { ticker: 'RATE', derivation }]),
    { settleDelayMs: 0, nextVersion: 1 },
  );
  const persist = { submit: async () => undefined };
  const ingest = new Ingest({ engine, persist, clock: clockAt(() => noon) });
  const far = Array.from({ length: 1_000 }, () => update('NOBODY', 1));
  const push = async (factor: number): Promise<unknown> => {
    const batch = [update('AL30', 90 * factor), ...far, update('GGAL', 60 * factor)];
    return ingest.submit(batch);
  };
  const rate = (): unknown[] => {
    const quote = engine.quotes().find(({ instrument }) => instrument.ticker === 'RATE');
    return [quote?.last, quote?.high, quote?.low];
  };
  await push(1);
  await push(0.95);
  assert.deepEqual(rate(), [1.5, 1.5, 1.5]);
  await ingest.submit([update('AL30', 90)], undefined, [], { isContinued: true });
  assert.deepEqual(rate(), [1.5, 1.5, 1.5]);
  await ingest.submit([]);
  assert.deepEqual(rate(), [1.5789, 1.5789, 1.5]);
});

test('a batch without updates resolves without any part, and a full part is not followed by an empty one', async (t) => {
  const parts: number[] = [];
  const { ingest } = await open(t, (updates) => void parts.push(updates.length));
  assert.deepEqual(await ingest.submit([]), []);
  await ingest.submit(Array.from({ length: 400 }, (_, at) => update('AL30', at + 1)));
  assert.deepEqual(parts, [200, 200]);
});

async function open(
  t: TestContext,
  onOutcomes: (updates: readonly Update[], outcomes: readonly Outcome[]) => unknown = () =>
    undefined,
) {
  const directory = await temporaryDirectory(t);
  const store = await openSqliteStore({ directory, busyWaitMs: 0 });
  const shown: Quote[] = [];
  const { promise: shownOnce, resolve } = deferred<Quote>();
  const publish = (batch: readonly Quote[]): void => {
    shown.push(...batch);
    if (batch[0] !== undefined) resolve(batch[0]);
  };
  const persist = new Persist({ clock: testClock, quotes: store.quotes, publish, log: silentLog });
  const other = new DatabaseSync(join(directory, databaseFileName));
  t.after(async () => {
    other.close();
    await persist[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });
  const engine = new Engine(makeUniverse([{ ticker: 'AL30' }, { ticker: 'GGAL' }]), {
    settleDelayMs: 0,
    nextVersion: 1,
  });
  const ingest = new Ingest({ engine, persist, clock: clockAt(() => noon), onOutcomes });
  return {
    ingest,
    store,
    shown,
    shownOnce,
    lock: () => {
      other.exec('BEGIN IMMEDIATE');
      return () => other.exec('ROLLBACK');
    },
  };
}

function update(ticker: string, last: number): Update {
  return { ticker: ticker as Ticker, at: noon, last };
}

function isBusy(error: unknown): boolean {
  return error instanceof StoreFault && error.code === 'busy';
}

test('bars are folded once, with the last part of the updates, and without updates too', async () => {
  const folded: [updates: number, bars: number][] = [];
  const engine = {
    apply(
      updates: readonly Update[],
      _now: number,
      _source: unknown,
      { bars }: { readonly bars: readonly unknown[] },
    ) {
      folded.push([updates.length, bars.length]);
      return {
        outcomes: updates.map(() => 'accepted'),
        quotes: [],
        stored: [],
        closes: [],
        bars: [],
      };
    },
  } as unknown as Engine;
  const persist = { submit: async () => undefined };
  const ingest = new Ingest({ engine, persist, clock: clockAt(() => noon) });
  const prices = { open: 1, high: 1, low: 1, last: 1, volume: null };
  const bar = { ticker: 'GGAL' as Ticker, bar: { day: 20_777 as EpochDay, minute: 1, ...prices } };
  await ingest.submit(
    Array.from({ length: 1_500 }, () => update('GGAL', 1)),
    undefined,
    [bar],
  );
  await ingest.submit([], undefined, [bar, bar]);
  await ingest.submit([], undefined, []);
  const parts = folded.slice(0, -2);
  assert.ok(parts.length > 1);
  assert.deepEqual(
    parts.map(([, count]) => count),
    parts.map((_, index) => (index === parts.length - 1 ? 1 : 0)),
  );
  assert.deepEqual(folded.slice(-2), [
    [0, 2],
    [0, 0],
  ]);
});
