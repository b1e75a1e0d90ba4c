import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { Engine } from '../../engine/engine.ts';
import type { SessionClose } from '../../engine/change-set.ts';
import { silentLog } from '../../lib/reports/log.ts';
import type { QuoteCommit, QuoteStore } from '../../store/contract/quote-store.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { databaseFileName } from '../../store/sqlite/file/database-file.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { pauseMsAfter, Persist } from './persist.ts';
import { deferred, until, within } from '../../../test/support/wait.ts';
import { testClock } from '../../../test/support/market/test-change.ts';

const noon = Date.parse('2026-11-20T12:00:00-03:00');
const al30 = 'AL30' as Ticker;
const ggal = 'GGAL' as Ticker;

test('turns that arrive together are one commit with the latest state of each instrument', async (t) => {
  const { persist, engine, commits, stored } = await open(t);
  await Promise.all([1, 2, 3].map((last) => persist.submit(turn(engine, al30, last))));
  assert.deepEqual(commits.map(summary), [['AL30 3']]);
  assert.deepEqual(
    (await stored()).map(({ session }) => session.last),
    [3],
  );
});

test('any number of turns that arrive during a commit form one next commit', async (t) => {
  const { persist, engine, commits, gate } = await open(t);
  const first = persist.submit(turn(engine, al30, 1));
  const openFirst = await gate.next();
  const rest = [2, 3, 4].map((last) => persist.submit(turn(engine, al30, last)));
  rest.push(persist.submit(turn(engine, ggal, 9)));
  assert.equal(persist.backlog, 2);
  openFirst();
  await Promise.all([first, ...rest]);
  assert.deepEqual(commits.map(summary), [['AL30 1'], ['AL30 4', 'GGAL 9']]);
});

test('a turn that is continued is committed with the turn that follows, or when the service ends', async (t) => {
  const { persist, engine, commits, stored } = await open(t);
  const part = persist.submit(turn(engine, al30, 1), { isContinued: true });
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  assert.equal(persist.backlog, 1);
  await Promise.all([part, persist.submit(turn(engine, ggal, 2))]);
  assert.deepEqual(commits.map(summary), [['AL30 1', 'GGAL 2']]);
  const last = persist.submit(turn(engine, al30, 3), { isContinued: true });
  await persist[Symbol.asyncDispose]();
  await last;
  assert.deepEqual(
    (await stored()).map(({ session }) => session.last),
    [3, 2],
  );
});

test('under load, a commit waits for the gap and contains what arrives meanwhile', async (t) => {
  const { engine, publish, quotes, commits } = await open(t);
  let now = 0;
  const pauses: number[] = [];
  const over = deferred<void>();
  const persist = new Persist({
    clock: testClock,
    quotes,
    publish,
    log: silentLog,
    pacing: { gapMs: 15, burst: 1, monotonic: () => now },
    pause: (ms) => {
      pauses.push(ms);
      return over.promise;
    },
  });
  await persist.submit(turn(engine, al30, 1));
  assert.deepEqual(pauses, [], 'the first one does not wait');
  now = 5;
  const second = persist.submit(turn(engine, al30, 2));
  await until('the second one waits', () => pauses.length === 1, { everyTurn: true });
  assert.deepEqual(pauses, [10]);
  const third = persist.submit(turn(engine, ggal, 3));
  assert.equal(commits.length, 1);
  now = 15;
  over.resolve();
  await Promise.all([second, third]);
  assert.deepEqual(commits.map(summary), [['AL30 1'], ['AL30 2', 'GGAL 3']]);
  now = 30;
  await persist.submit(turn(engine, ggal, 4));
  assert.equal(pauses.length, 1, 'after the gap, nothing waits');
  await persist[Symbol.asyncDispose]();
});

test('a claim that is lost during the gap, and the end of the service, do not wait for it', async (t) => {
  const { engine, publish, quotes, commits } = await open(t);
  const begin = (): Persist =>
    new Persist({
      clock: testClock,
      quotes,
      publish,
      log: silentLog,
      pacing: { gapMs: 3_600_000, burst: 1, monotonic: () => 0 },
    });
  const ending = begin();
  await ending.submit(turn(engine, al30, 1));
  const last = ending.submit(turn(engine, al30, 2));
  await within('the last commit', Promise.all([last, ending[Symbol.asyncDispose]()]));
  assert.equal(commits.length, 2);

  const fenced = begin();
  await fenced.submit(turn(engine, al30, 3));
  const refused = fenced.submit(turn(engine, al30, 4));
  fenced.fence(new StoreFault('fenced', 'lost'));
  await assert.rejects(refused, { code: 'fenced' });
  await within('it ends', fenced[Symbol.asyncDispose]());
  assert.equal(commits.length, 3);
});

test('a quote is published only after it is durable, and submit resolves after both', async (t) => {
  const { persist, engine, gate, shown, stored } = await open(t);
  const submitted = persist.submit(turn(engine, al30, 1));
  const openGate = await gate.next();
  assert.deepEqual(shown, []);
  assert.deepEqual(await stored(), []);
  openGate();
  await submitted;
  assert.equal((await stored()).length, 1);
  assert.deepEqual(
    shown.map(({ last }) => last),
    [1],
  );
});

test('quotes are published in order of version, conflated or not', async (t) => {
  const { persist, engine, shown } = await open(t);
  const submitted = [al30, ggal, al30].map((ticker, index) =>
    persist.submit(turn(engine, ticker, index + 1)),
  );
  await Promise.all(submitted);
  const versions = shown.map(({ version }) => version);
  assert.deepEqual(
    shown.map(({ last }) => last),
    [2, 3],
  );
  assert.deepEqual(
    versions,
    [...versions].sort((a, b) => a - b),
  );
});

test('a turn that changes nothing waits for the turn that it repeats', async (t) => {
  const { persist, engine, gate, commits } = await open(t);
  const log: string[] = [];
  const first = persist.submit(turn(engine, al30, 1)).then(() => log.push('first'));
  const openGate = await gate.next();
  const repeated = persist.submit(turn(engine, al30, 1)).then(() => log.push('repeated'));
  await new Promise(setImmediate);
  assert.deepEqual(log, []);
  openGate();
  await Promise.all([first, repeated]);
  assert.deepEqual(log, ['first', 'repeated']);
  assert.equal(commits.length, 1, 'nothing is committed for the repetition');
});

test('a turn that changes nothing resolves at once when nothing is under way', async (t) => {
  const { persist, commits } = await open(t);
  let isDone = false;
  void persist.submit({ quotes: [], stored: [], closes: [], bars: [] }).then(() => (isDone = true));
  await Promise.resolve();
  assert.equal(isDone, true);
  assert.deepEqual(commits, []);
});

test('a failed commit rejects its callers, and is stored and published when the store is free', async (t) => {
  const { persist, engine, lock, shown, shownOnce } = await open(t);
  const release = lock();
  await assert.rejects(persist.submit(turn(engine, al30, 1)), isBusy);
  assert.deepEqual(shown, []);
  release();
  await shownOnce;
  assert.deepEqual(
    shown.map(({ last }) => last),
    [1],
  );
});

test('newer entries take precedence over those of a failed commit, and no close of any day is lost', async (t) => {
  const { persist, engine, lock, commits, shown } = await open(t);
  const release = lock();
  await assert.rejects(persist.submit(turn(engine, al30, 1)), isBusy);
  const later = persist.submit(turn(engine, al30, 2, noon + 4 * 86_400_000));
  release();
  await later;
  assert.deepEqual(
    shown.map(({ last }) => last),
    [2],
  );
  assert.deepEqual(
    commits.at(-1)?.closes.map(({ close }) => close.close),
    [1],
  );
});

test('the closes of a failed commit are stored, except those that a newer close replaces', async (t) => {
  const { persist, lock, commits } = await open(t);
  const release = lock();
  const failed = [closeOf(al30, 1, 5), closeOf(al30, 2, 6)];
  await assert.rejects(
    persist.submit({ quotes: [], stored: [], closes: failed, bars: [] }),
    isBusy,
  );
  const newer = closeOf(al30, 1, 7);
  const later = persist.submit({ quotes: [], stored: [], closes: [newer], bars: [] });
  release();
  await later;
  assert.deepEqual(commits.at(-1)?.closes, [newer, failed[1]]);
});

test('the pauses after failed commits grow to a second, and stay there', () => {
  assert.deepEqual([0, 1, 2, 3, 100].map(pauseMsAfter), [50, 200, 1_000, 1_000, 1_000]);
});

test('an entry that arrives during a commit that fails has precedence over the entry of that commit', async (t) => {
  const { persist, engine, lock, gate, commits, shown } = await open(t);
  const release = lock();
  const older = { ...turn(engine, al30, 1), closes: [closeOf(al30, 1, 5)] };
  const first = persist.submit(older);
  const openFirst = await gate.next();
  const second = persist.submit({ ...turn(engine, al30, 2), closes: [closeOf(al30, 1, 6)] });
  openFirst();
  await assert.rejects(first, isBusy);
  release();
  await second;
  assert.deepEqual(commits.at(-1)?.closes, [closeOf(al30, 1, 6)]);
  assert.deepEqual(commits.map(summary).at(-1), ['AL30 2']);
  assert.deepEqual(
    shown.map(({ last }) => last),
    [2],
  );
});

test('a turn with only a stored state, only a close or only a quote is not empty', async (t) => {
  const { persist, engine, commits, shown } = await open(t);
  const { quotes, stored } = turn(engine, al30, 1);
  const nothing = { quotes: [], stored: [], closes: [], bars: [] };
  await persist.submit({ ...nothing, stored });
  assert.deepEqual([commits.length, shown.length], [1, 0]);
  await persist.submit({ ...nothing, closes: [closeOf(al30, 1, 5)] });
  assert.deepEqual([commits.length, shown.length], [2, 0]);
  await persist.submit({ ...nothing, quotes });
  assert.deepEqual([commits.length, shown.length], [3, 1]);
});

test('the third failure in a row is not logged, and disposing does not wait for the pause after it', async (t) => {
  const { engine, lock, publish, quotes, commits } = await open(t);
  const pauses: number[] = [];
  const third = deferred<void>();
  const { persist, logged } = logging({ publish, quotes }, async (ms, signal) => {
    pauses.push(ms);
    if (pauses.length < 3) return;
    third.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new Error('aborted');
  });
  lock();
  await assert.rejects(persist.submit(turn(engine, al30, 1)), isBusy);
  await third.promise;
  await within('disposed', persist[Symbol.asyncDispose]());
  assert.deepEqual(
    logged.map(([, failures]) => failures),
    [1, 2, 4, undefined],
  );
  assert.deepEqual(pauses, [50, 200, 1_000]);
  assert.equal(commits.length, 4);
});

test('a recovery is logged once, and the next failure is a first one', async (t) => {
  const { engine, lock, publish, quotes } = await open(t);
  const { persist, logged } = logging({ publish, quotes });
  await using _ = persist;
  await persist.submit(turn(engine, al30, 1));
  assert.deepEqual(logged, []);
  for (const last of [2, 3]) {
    const release = lock();
    await assert.rejects(persist.submit(turn(engine, al30, last)), isBusy);
    release();
    await persist.submit(turn(engine, ggal, last));
  }
  const once = [
    ['error', 1],
    ['info', 1],
  ];
  assert.deepEqual(logged, [...once, ...once]);
});

test('a failure while the queue never was empty since a recovery is a first one too', async (t) => {
  const { engine, lock, publish, quotes, gate } = await open(t);
  const { persist, logged } = logging({ publish, quotes });
  await using _ = persist;
  const release = lock();
  await assert.rejects(persist.submit(turn(engine, al30, 1)), isBusy);
  release();
  const openRecovery = await gate.next();
  const next = persist.submit(turn(engine, al30, 2));
  openRecovery();
  const openNext = await gate.next();
  const releaseNext = lock();
  openNext();
  await assert.rejects(next, isBusy);
  releaseNext();
  await persist.submit(turn(engine, al30, 3));
  const once = [
    ['error', 1],
    ['info', 1],
  ];
  assert.deepEqual(logged, [...once, ...once]);
});

test('a commit has the last close of each instrument and day', async (t) => {
  const { persist, commits } = await open(t);
  const closes = [al30, ggal].flatMap((one) => [closeOf(one, 1, 5), closeOf(one, 2, 6)]);
  const repeated = closeOf(al30, 1, 7);
  await Promise.all([
    persist.submit({ quotes: [], stored: [], closes, bars: [] }),
    persist.submit({ quotes: [], stored: [], closes: [repeated], bars: [] }),
  ]);
  assert.deepEqual(
    commits.map((one) => one.closes),
    [[repeated, ...closes.slice(1)]],
  );
});

test('disposing commits the queue', async (t) => {
  const { persist, engine, stored } = await open(t);
  const submitted = persist.submit(turn(engine, al30, 1));
  await persist[Symbol.asyncDispose]();
  await submitted;
  assert.equal((await stored()).length, 1);
});

test('disposing retries once after a failure, without the pause', async (t) => {
  const { persist, engine, lock, stored } = await open(t);
  const release = lock();
  await assert.rejects(persist.submit(turn(engine, al30, 1)), isBusy);
  release();
  await persist[Symbol.asyncDispose]();
  assert.equal((await stored()).length, 1);
});

test('disposing ends even when the store fails, and waiting callers are rejected', async (t) => {
  const { persist, engine, lock, gate, shown, stored } = await open(t);
  const release = lock();
  const first = persist.submit(turn(engine, al30, 1));
  const openFirst = await gate.next();
  const second = persist.submit(turn(engine, ggal, 1));
  openFirst();
  await assert.rejects(first, isBusy);
  const disposed = persist[Symbol.asyncDispose]();
  const openLast = await gate.next();
  // This turn arrives during the last commit. No commit contains it, so it must be rejected.
  const third = persist.submit(turn(engine, ggal, 2));
  const both = Promise.all([assert.rejects(second, isBusy), assert.rejects(third, isBusy)]);
  openLast();
  await Promise.all([disposed, both]);
  assert.deepEqual(shown, []);
  const repeated = persist.submit(turn(engine, ggal, 2));
  (await gate.next())();
  await assert.rejects(repeated, isBusy, 'a repetition is not durable either');
  release();
  const again = persist.submit(turn(engine, ggal, 2));
  (await gate.next())();
  await again;
  assert.deepEqual(
    (await stored()).map(({ session }) => session.last),
    [1, 2],
  );
});

test('the closes of other sources that a commit replaces are reported, and other commits report none', async (t) => {
  const { persist, commits, conflicts } = await open(t);
  const submit = (...closes: SessionClose[]) =>
    persist.submit({ quotes: [], stored: [], closes, bars: [] });
  await submit(closeFrom('data912', 1));
  await submit(closeFrom('data912', 2));
  assert.equal(conflicts.length, 0);
  await submit(closeFrom('session:byma', 3));
  assert.equal(commits.length, 3);
  assert.deepEqual(
    conflicts.map((found) => found.map(({ stored, offered }) => [stored, offered])),
    [[[2, 3]]],
  );
});

test('a fenced commit is not retried: all callers get the fault once, and nothing is published', async (t) => {
  const { engine, quotes } = await open(t);
  const published: unknown[] = [];
  const fault = new StoreFault('fenced', 'another writer has the claim');
  const commits: QuoteCommit[] = [];
  const gate = deferred<void>();
  const fenced: StoreFault[] = [];
  await using persist = new Persist({
    clock: testClock,
    quotes: {
      commit: async (commit) => {
        commits.push(commit);
        if (commits.length === 1) return quotes.commit(commit);
        await gate.promise;
        throw fault;
      },
    },
    publish: (batch) => void published.push(...batch),
    log: silentLog,
    onFenced: (one) => void fenced.push(one),
    pause: () => assert.fail('a fenced commit is not retried'),
  });
  await persist.submit(turn(engine, al30, 1));
  assert.equal(published.length, 1);
  const underWay = persist.submit(turn(engine, al30, 2));
  await new Promise(setImmediate);
  const waiting = persist.submit(turn(engine, ggal, 3));
  gate.resolve();
  const later = Promise.allSettled([underWay, waiting]).then(() =>
    persist.submit(turn(engine, ggal, 4)),
  );
  for (const one of [underWay, waiting, later]) await assert.rejects(one, fault);
  assert.equal(persist.backlog, 0);
  await persist[Symbol.asyncDispose]();
  assert.deepEqual([published.length, commits.length, fenced], [1, 2, [fault]]);
});

test('after a lost claim the queue is dropped, and a commit that is under way still counts', async (t) => {
  const { persist, engine, gate, shown, stored, commits } = await open(t);
  const underWay = persist.submit(turn(engine, al30, 1));
  const openCommit = await gate.next();
  const waiting = persist.submit(turn(engine, ggal, 2));
  const fault = new StoreFault('fenced', 'the claim is lost');
  persist.fence(fault);
  await assert.rejects(waiting, fault);
  openCommit();
  await underWay;
  await assert.rejects(persist.submit(turn(engine, ggal, 3)), fault);
  await persist[Symbol.asyncDispose]();
  assert.deepEqual([shown.length, (await stored()).length, commits.length], [1, 1, 1]);
});

test('a commit that fails after the claim is lost is not retried', async (t) => {
  const { persist, engine, gate, lock, commits } = await open(t);
  const underWay = persist.submit(turn(engine, al30, 1));
  const openCommit = await gate.next();
  const fault = new StoreFault('fenced', 'the claim is lost');
  persist.fence(fault);
  const release = lock();
  openCommit();
  await assert.rejects(underWay, fault);
  release();
  await persist[Symbol.asyncDispose]();
  assert.equal(commits.length, 1);
});

/**
 * A persist over a real store. The test can delay each commit, and can make commits fail by locking the
 * database from another connection.
 */
async function open(t: TestContext) {
  const directory = await temporaryDirectory(t);
  const store = await openSqliteStore({ directory, busyWaitMs: 0 });
  const quotes = new ObservedQuotes(store.quotes);
  const shown: Quote[] = [];
  const { promise: shownOnce, resolve } = deferred<void>();
  const publish = (batch: readonly Quote[]): void => {
    shown.push(...batch);
    resolve();
  };
  const conflicts: (readonly CloseConflict[])[] = [];
  const persist = new Persist({
    clock: testClock,
    quotes,
    publish,
    log: silentLog,
    onConflicts: (found) => void conflicts.push(found),
  });
  const other = new DatabaseSync(join(directory, databaseFileName));
  t.after(async () => {
    quotes.openAll();
    other.close();
    await persist[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });
  const engine = new Engine(makeUniverse([{ ticker: 'AL30' }, { ticker: 'GGAL' }]), {
    settleDelayMs: 0,
    nextVersion: 1,
  });
  return {
    persist,
    engine,
    shown,
    shownOnce,
    gate: { next: () => quotes.nextHeld() },
    commits: quotes.commits,
    conflicts,
    publish,
    quotes,
    stored: () => store.quotes.readAll(),
    lock: () => {
      other.exec('BEGIN IMMEDIATE');
      return () => other.exec('ROLLBACK');
    },
  };
}

type Deps = ConstructorParameters<typeof Persist>[0];

/** A persist that keeps the level and the number of failures of each line of its log. */
function logging(
  parts: Pick<Deps, 'publish' | 'quotes'>,
  pause?: Deps['pause'],
): { readonly persist: Persist; readonly logged: (readonly [string, unknown])[] } {
  const logged: (readonly [string, unknown])[] = [];
  const note = (level: string) => (details: object) =>
    void logged.push([level, (details as { readonly failures?: number }).failures]);
  const log = { ...silentLog, error: note('error'), info: note('info') };
  const persist = new Persist({ clock: testClock, ...parts, log, ...(pause && { pause }) });
  return { persist, logged };
}

/** A quote store that records the commits it receives, and can delay them. */
class ObservedQuotes implements Pick<QuoteStore, 'commit'> {
  readonly commits: QuoteCommit[] = [];
  readonly #quotes: QuoteStore;
  #hold: ((open: () => void) => void) | undefined;

  constructor(quotes: QuoteStore) {
    this.#quotes = quotes;
  }

  async commit(commit: QuoteCommit): Promise<readonly CloseConflict[]> {
    this.commits.push(commit);
    const hold = this.#hold;
    this.#hold = undefined;
    if (hold !== undefined) await new Promise<void>((resolve) => hold(resolve));
    return this.#quotes.commit(commit);
  }

  /** Delays the next commit. Resolves when it has started, with a function that lets it continue. */
  nextHeld(): Promise<() => void> {
    return new Promise((resolve) => {
      this.#hold = resolve;
    });
  }

  openAll(): void {
    this.#hold = undefined;
  }
}

function closeOf(ticker: Ticker, day: number, price: number): SessionClose {
  return { ticker, close: { day: day as EpochDay, close: price, volume: null } };
}

function closeFrom(source: string, price: number): SessionClose {
  const one = closeOf(ggal, 20_000, price);
  return { ...one, close: { ...one.close, source } };
}

function turn(engine: Engine, ticker: Ticker, last: number, at = noon) {
  return engine.apply([{ ticker, at, last }], at);
}

function summary({ quotes }: QuoteCommit): readonly string[] {
  return quotes.map(({ ticker, session }) => `${ticker} ${session.last}`);
}

function isBusy(error: unknown): boolean {
  return error instanceof StoreFault && error.code === 'busy';
}
