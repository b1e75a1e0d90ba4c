import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import {
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { SourceOrder } from '../../domain/history/source-order.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { FeedFault } from '../../feeds/contract/feed.ts';
import type { HistorySource } from '../../feeds/contract/history-source.ts';
import { silentLog, type Log } from '../../lib/reports/log.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { fillHistory } from './fill-history.ts';
import { LackingDays } from './lacking-days.ts';
import { DifferenceReport, type CountDifferences } from './report-differences.ts';
import type { Store } from '../../store/contract/store.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import { deferred, until } from '../../../test/support/wait.ts';
import { testStamp } from '../../../test/support/market/test-change.ts';

const ggal = 'GGAL' as Ticker;

const universe = makeUniverse([{ ticker: ggal }]);

/** Friday 20 November 2026, 15:00 in Buenos Aires: the session ends in two hours. */
const start = Date.parse('2026-11-20T15:00:00-03:00');

/** The time limit of a test in which nothing waits in real time, in milliseconds. */
const timeout = 600_000;

/** A close that the store has before the service fills the history. */
interface StoredClose {
  readonly date: string;
  readonly close: number;
  readonly source: string;
}

/** Lets the service fill a history until there were some requests. Returns `time ticker from to` of each. */
async function requestsOf(
  t: TestContext,
  {
    count,
    settleMinutes = 15,
    random = 0,
    fault,
    onWrite,
    stored = [],
    log = silentLog,
    onDifference = () => undefined,
    isCopy = false,
    priceOf = () => 100,
    tickers = [ggal],
  }: {
    readonly count: number;
    readonly settleMinutes?: number;
    readonly random?: number;
    readonly fault?: FeedFault;
    /** Called before the closes of a response are stored. */
    readonly onWrite?: () => void;
    readonly stored?: readonly StoredClose[];
    readonly log?: Log;
    readonly onDifference?: CountDifferences;
    readonly isCopy?: boolean;
    /** The closes of a request, by its number. */
    readonly priceOf?: (request: number) => number;
    readonly tickers?: readonly Ticker[];
  },
): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-fill-'));
  t.after(() => rm(directory, { recursive: true }));
  await using store = await openSqliteStore({ directory });
  await store.history.transaction(
    (transaction) =>
      transaction.put(
        ggal,
        stored.map(({ date, ...rest }) => ({
          day: toEpochDay(date as PlainDate),
          volume: null,
          ...rest,
        })),
      ),
    testStamp,
  );
  let now = start;
  const requests: string[] = [];
  const source: HistorySource = {
    name: 'one',
    instruments: tickers,
    spacingMs: 0,
    isCopy,
    fetch: async ({ ticker, from, to }) => {
      requests.push(`${new Date(now).toISOString()} ${ticker} ${from} ${to}`);
      if (fault !== undefined) throw fault;
      // All but the last day, which the source does not have yet.
      const closes = [];
      for (let day = toEpochDay(from); day < toEpochDay(to); day = toEpochDay(next(day))) {
        closes.push({ day, close: priceOf(requests.length), volume: null });
      }
      return { closes, rejected: [] };
    },
  };
  const clock = { now: () => now, monotonic: () => now };
  await using filling = fillHistory({
    sources: [source],
    order: new SourceOrder(['one']),
    history: {
      readSeries: (...args) => store.history.readSeries(...args),
      readCloses: (...args) => store.history.readCloses(...args),
      transaction: async (work) => {
        onWrite?.();
        return store.history.transaction(work, testStamp);
      },
    },
    actions: store.actions,
    universe: makeUniverse(tickers.map((ticker) => ({ ticker }))),
    clock,
    random: () => random,
    pause: async (ms, signal) => {
      signal.throwIfAborted();
      // Enough requests are made: nothing more happens until the test ends the fill.
      if (requests.length >= count) await pauseInRealTime(timeout, signal);
      now += ms;
    },
    lacking: new LackingDays([], { clock, onChange: () => undefined }),
    settleDelayMs: settleMinutes * 60_000,
    log,
    differences: new DifferenceReport({ clock, log, count: onDifference }),
  });
  await until(`${count} requests are made`, () => requests.length >= count);
  await filling[Symbol.asyncDispose]();
  return requests.slice(0, count);
}

function unused(): never {
  assert.fail('nothing reads or writes the history');
}

/** A history of which a test uses no method, or only those that it replaces. */
const unusedHistory = {
  transaction: unused,
  readSeries: unused,
  readCloses: unused,
};
const unusedActions = { readAll: unused, apply: unused };

/** What a fill needs, on a clock that only its pauses advance. Nothing uses the history unless a test replaces it. */
function depsWith(changes: Partial<Parameters<typeof fillHistory>[0]>) {
  let now = start;
  const clock = { now: () => now, monotonic: () => now };
  const { log = silentLog } = changes;
  return {
    sources: [],
    order: new SourceOrder(['one']),
    history: unusedHistory,
    actions: unusedActions,
    universe,
    clock,
    random: () => 0,
    pause: async (ms: number, signal: AbortSignal): Promise<void> => {
      signal.throwIfAborted();
      now += ms;
    },
    lacking: new LackingDays([], { clock, onChange: unused }),
    settleDelayMs: 0,
    log,
    differences: new DifferenceReport({ clock, log, count: unused }),
    ...changes,
  };
}

/** A source of one instrument that answers as a test says. */
function answering(fetch: HistorySource['fetch']): HistorySource {
  return { name: 'one', instruments: [ggal], spacingMs: 0, fetch };
}

function next(day: number): PlainDate {
  return fromEpochDay((day + 1) as Parameters<typeof fromEpochDay>[0]);
}

test(
  'the history is filled after the start, and half an hour after each close, holidays and weekends left out',
  { timeout },
  async (t) => {
    assert.deepEqual(await requestsOf(t, { count: 4 }), [
      // The last 400 days, up to the session before.
      '2026-11-20T18:00:20.000Z GGAL 2025-10-16 2026-11-19',
      // Thursday, which the source did not have, and Friday, whose session has ended.
      '2026-11-20T20:30:00.000Z GGAL 2026-11-19 2026-11-20',
      // Monday is a holiday.
      '2026-11-24T20:30:00.000Z GGAL 2026-11-20 2026-11-24',
      '2026-11-25T20:30:00.000Z GGAL 2026-11-24 2026-11-25',
    ]);
  },
);

test(
  'what another Pizarra stores is read again within a minute, and a correction is stored and logged',
  { timeout },
  async (t) => {
    const logged: unknown[] = [];
    const info = (details: object): void => {
      const [one] = (details as { readonly sources: readonly Record<string, unknown>[] }).sources;
      logged.push([one?.['added'], one?.['corrected']]);
    };
    const requests = await requestsOf(t, {
      count: 5,
      isCopy: true,
      priceOf: (request) => (request < 3 ? 100 : 101),
      log: { ...silentLog, info },
    });
    assert.deepEqual(
      requests.map((one) => one.slice(11, 19)),
      ['18:00:20', '18:01:00', '18:01:40', '18:02:20', '18:03:00'],
    );
    const [first, corrected] = logged as readonly (readonly [number, number])[];
    assert.ok((first?.[0] ?? 0) > 200);
    assert.ok(corrected?.[0] === 0 && corrected[1] > 200, 'also of closes older than a month');
    assert.equal(logged.length, 2);
  },
);

test(
  'of another Pizarra with many instruments, the last month of all is read each time, and all days of 70 in turn',
  { timeout },
  async (t) => {
    const tickers = Array.from({ length: 71 }, (_, index) => `T${index}` as Ticker);
    const rounds = [tickers, [...tickers, ...tickers.slice(0, 70)], [...tickers, 'T70']];
    const requests = await requestsOf(t, { count: rounds.flat().length, isCopy: true, tickers });
    assert.deepEqual(
      requests.map((one) => one.split(' ')[1]),
      rounds.flat(),
    );
    const whole = requests.filter((one) => one.includes(' 2025-10-')).slice(71);
    assert.deepEqual(
      whole.map((one) => one.split(' ')[1]),
      tickers,
    );
    assert.match(whole.at(-1) ?? '', /T18:01:40/);
  },
);

test(
  'another Pizarra that does not answer is asked again after five minutes',
  { timeout },
  async (t) => {
    const fault = new FeedFault('refused', 'x');
    const requests = await requestsOf(t, { count: 2, isCopy: true, fault });
    assert.deepEqual(
      requests.map((one) => one.slice(11, 19)),
      ['18:00:20', '18:05:20'],
    );
  },
);

test('a run begins after the settle delay, and is spread at random', { timeout }, async (t) => {
  const late = await requestsOf(t, { count: 2, settleMinutes: 60 });
  assert.match(late[1] ?? '', /^2026-11-20T21:00:00/);
  const spread = await requestsOf(t, { count: 2, random: 0.5 });
  assert.match(spread[0] ?? '', /^2026-11-20T18:00:40/);
  assert.match(spread[1] ?? '', /^2026-11-20T20:37:30/);
});

test(
  'closes that differ from those of other sources are counted and logged, and corrections are counted',
  { timeout },
  async (t) => {
    const counted: string[] = [];
    const lines: unknown[] = [];
    const log: Log = {
      ...silentLog,
      info: (details, message) => void lines.push([message, details]),
      warn: (details, message) => void lines.push([message, details]),
    };
    await requestsOf(t, {
      count: 2,
      log,
      onDifference: (...args) => void counted.push(args.join(' ')),
      stored: [
        { date: '2026-11-17', close: 101, source: 'session:one' },
        { date: '2026-11-18', close: 102, source: 'one' },
      ],
    });
    assert.deepEqual(counted, ['one corrected 1', 'one kept 1']);
    assert.deepEqual(lines.slice(0, 1), [
      [
        'a source has other closes than the stored ones, which are kept',
        {
          source: 'one',
          count: 1,
          samples: ['GGAL 2026-11-17: stored 101 of session:one, offered 100'],
        },
      ],
    ]);
    const [, second] = lines as readonly (readonly [string, object])[];
    assert.equal(second?.[0], 'history filled from sources');
    const { sources } = second[1] as { readonly sources: readonly Record<string, unknown>[] };
    const { requests, added, corrected, different, failed } = sources[0] ?? {};
    assert.deepEqual([requests, corrected, different, failed], [1, 1, 1, 0]);
    assert.ok(Number(added) > 200);
    assert.equal('conflicts' in (sources[0] ?? {}), false);
  },
);

test('a source that refuses access is asked again after an hour', { timeout }, async (t) => {
  const fault = new FeedFault('refused', 'status 401');
  const requests = await requestsOf(t, { count: 3, fault });
  assert.deepEqual(
    requests.map((one) => one.slice(11, 19)),
    ['18:00:20', '19:00:20', '20:00:20'],
  );
});

test(
  'without a source with history nothing is requested, and no pause is made',
  { timeout },
  async () => {
    await using filling = fillHistory(depsWith({ pause: unused }));
    await nextTurn();
    await filling[Symbol.asyncDispose]();
  },
);

/** A log that keeps its lines as `[level, details, message]`. */
function keptLog() {
  const lines: (readonly [string, object, string])[] = [];
  const note = (level: string) => (details: object, message: string) =>
    void lines.push([level, details, message]);
  const log: Log = { ...silentLog, info: note('info'), warn: note('warn'), error: note('error') };
  return { lines, log };
}

test(
  'a run that requested something is logged with its counts, and with the reason why a source was left',
  { timeout },
  async (t) => {
    const whole = keptLog();
    await requestsOf(t, { count: 2, log: whole.log });
    const counts = {
      source: 'one',
      requests: 1,
      corrected: 0,
      replaced: 0,
      takenOver: 0,
      different: 0,
      actions: 0,
      contradicted: 0,
      waiting: 0,
      failed: 0,
    };
    const [first] = whole.lines;
    assert.deepEqual(first, [
      'info',
      // Of 399 days, 114 are at weekends and one is a holiday. The last day is still missing.
      { sources: [{ ...counts, added: 284, rejected: 115 }], instrumentsWithGaps: 1 },
      'history filled from sources',
    ]);
    const left = keptLog();
    const fault = new FeedFault('refused', 'status 401');
    await requestsOf(t, { count: 2, fault, log: left.log });
    assert.deepEqual(left.lines[0]?.[1], {
      sources: [{ ...counts, added: 0, rejected: 0, stopped: 'status 401' }],
      instrumentsWithGaps: 1,
    });
  },
);

test('a run in which nothing is missing requests and logs nothing', { timeout }, async () => {
  const { lines, log } = keptLog();
  const runs = deferred<void>();
  let reads = 0;
  const readCloses: Store['history']['readCloses'] = async (_, { from, to }) => {
    reads += 1;
    // A run reads once for the requests and once for the gaps that remain.
    if (reads === 4) runs.resolve();
    return Array.from({ length: to - from + 1 }, (__, at) => ({
      day: (from + at) as EpochDay,
      close: 1,
      volume: null,
    }));
  };
  const history = { ...unusedHistory, readCloses };
  await using filling = fillHistory(depsWith({ sources: [answering(unused)], history, log }));
  await runs.promise;
  await filling[Symbol.asyncDispose]();
  assert.deepEqual(lines, []);
});

test(
  'a run that cannot be stored is logged, and repeated after an hour',
  { timeout },
  async (t) => {
    const { lines, log } = keptLog();
    const full = new StoreFault('unavailable', 'disk full');
    const onWrite = (): never => {
      throw full;
    };
    const requests = await requestsOf(t, { count: 2, onWrite, log });
    assert.deepEqual(
      requests.map((one) => one.slice(11, 19)),
      ['18:00:20', '19:00:20'],
    );
    assert.deepEqual(lines[0], [
      'error',
      { err: full, failures: 1 },
      'could not fill the history from sources, retrying',
    ]);
  },
);

test(
  'a store that closes while a fill is ended is no failure of the fill',
  { timeout },
  async () => {
    const { lines, log } = keptLog();
    const requested = deferred<void>();
    let isStopping = false;
    const source = answering(async (_, signal) => {
      requested.resolve();
      await pauseInRealTime(timeout, signal);
      return { closes: [], rejected: [] };
    });
    const readCloses = async () => {
      if (isStopping) throw new StoreFault('unavailable', 'closed');
      return [];
    };
    const history = { ...unusedHistory, readCloses };
    const filling = fillHistory(depsWith({ sources: [source], history, log }));
    await requested.promise;
    isStopping = true;
    await filling[Symbol.asyncDispose]();
    assert.deepEqual(lines, []);
  },
);

test(
  'a fill has ended when it is disposed, and an error of the program is not hidden',
  { timeout },
  async () => {
    const requested = deferred<void>();
    const answered = deferred<void>();
    let hasEnded = false;
    const unreachable = answering(async () => {
      requested.resolve();
      await answered.promise;
      hasEnded = true;
      throw new FeedFault('refused', 'closed');
    });
    const history = { ...unusedHistory, readCloses: async () => [] };
    const deps = depsWith({ sources: [unreachable], history });
    const filling = fillHistory(deps);
    await requested.promise;
    const disposed = filling[Symbol.asyncDispose]();
    answered.resolve();
    await disposed;
    assert.equal(hasEnded, true);
    const broken = new TypeError('x is not a function');
    const failing = fillHistory({ ...deps, pause: () => Promise.reject(broken) });
    // Within one turn of the event loop, the rejection is not reported as unhandled.
    for (let step = 0; step < 10; step += 1) await Promise.resolve();
    await assert.rejects(Promise.resolve(failing[Symbol.asyncDispose]()), broken);
  },
);
