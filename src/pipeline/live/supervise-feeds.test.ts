import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { Outcome } from '../../engine/engine.ts';
import { FeedFault, type Feed, type FeedBatch } from '../../feeds/contract/feed.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { at } from '../../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { superviseFeeds, type FeedSupervisor, type SupervisorDeps } from './supervise-feeds.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { deferred, until, within } from '../../../test/support/wait.ts';

const minuteMs = 60_000;
const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'BABA_US', kind: 'adr', market: 'NYSE' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
]);

function update(last: number, ticker = 'GGAL'): Update {
  return { ticker: ticker as Ticker, at: 0, last };
}

/** A feed whose n-th connection is the n-th of these scripts. Later connections stay idle. */
function scripted(
  name: string,
  ...connections: readonly ((signal: AbortSignal) => AsyncIterable<FeedBatch>)[]
): Feed {
  let calls = 0;
  return {
    name,
    staleAfterMs: 5 * minuteMs,
    markets: undefined,
    batches(signal) {
      calls += 1;
      return connections[calls - 1]?.(signal) ?? silence(signal);
    },
  };
}

async function* silence(signal: AbortSignal): AsyncIterable<FeedBatch> {
  await aborted(signal);
  yield* [];
}

async function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = deferred<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}

function batchOf(updates: readonly Update[]): FeedBatch {
  return { updates, rejected: [] };
}

function says(...batches: readonly (readonly Update[])[]) {
  return async function* speak(): AsyncIterable<FeedBatch> {
    yield* batches.map(batchOf);
  };
}

function saysThenFails(fault: Error, ...batches: readonly (readonly Update[])[]) {
  return async function* speak(): AsyncIterable<FeedBatch> {
    yield* batches.map(batchOf);
    throw fault;
  };
}

const redactions = { redact: (text: string) => text.replaceAll('sk-123', '[secret]') };

interface Line {
  readonly level: string;
  readonly message: string;
  readonly details: object;
}

/** A supervisor whose dependencies the test controls. `submitted` collects the batches, `lines` the log. */
function supervise(
  feeds: readonly Feed[],
  overrides: Partial<SupervisorDeps> = {},
): {
  readonly supervisor: FeedSupervisor;
  readonly submitted: (readonly Update[])[];
  readonly pauses: number[];
  readonly lines: readonly Line[];
  /** Resolves when the log says that a feed has ended. */
  readonly ended: Promise<void>;
  readonly untilSubmitted: (count: number) => Promise<void>;
  readonly untilPaused: (count: number) => Promise<void>;
} {
  const submitted: (readonly Update[])[] = [];
  const pauses: number[] = [];
  const submissions = new Milestones();
  const pausing = new Milestones();
  const lines: Line[] = [];
  const ended = deferred<void>();
  const note = (level: string) => (details: object, message: string) => {
    lines.push({ level, message, details });
    if (message === 'feed ended') ended.resolve();
  };
  const supervisor = superviseFeeds({
    feeds,
    universe,
    clock: clockAt(() => at('2026-11-20', '12:00')),
    random: () => 0,
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
    ingest: {
      async submit(updates): Promise<readonly Outcome[]> {
        submitted.push(updates);
        submissions.reach(submitted.length);
        return updates.map(() => 'accepted');
      },
    },
    async pause(ms) {
      pauses.push(ms);
      pausing.reach(pauses.length);
    },
    ...overrides,
  });
  return {
    supervisor,
    submitted,
    pauses,
    lines,
    ended: ended.promise,
    untilSubmitted: (count) => submissions.until(count),
    untilPaused: (count) => pausing.until(count),
  };
}

/** Promises that resolve when a counter reaches a value. */
class Milestones {
  #reached = 0;
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  reach(count: number): void {
    this.#reached = count;
    for (const waiter of this.#waiting) if (waiter.count <= count) waiter.resolve();
  }

  async until(count: number): Promise<void> {
    const { promise, resolve } = deferred<void>();
    if (count <= this.#reached) resolve();
    this.#waiting.push({ count, resolve });
    await promise;
  }
}

const lost = new FeedFault('unavailable', 'the line went dead');

test('a failed feed is restarted after pauses that grow until it delivers a batch', async () => {
  const fails = saysThenFails(lost);
  const speaksOnce = saysThenFails(lost, [update(1)]);
  const { supervisor, pauses, submitted, untilSubmitted } = supervise([
    scripted('a', fails, fails, fails, speaksOnce, says([update(2)])),
  ]);
  await using _ = supervisor;
  await untilSubmitted(2);
  assert.deepEqual(pauses, [500, 1000, 2000, 500]);
  assert.deepEqual(submitted, [[update(1)], [update(2)]]);
  const [state] = supervisor.states();
  assert.equal(state?.failures, 4);
  assert.deepEqual(state?.lastFault, {
    code: 'unavailable',
    reason: 'connection',
    detail: undefined,
    message: 'the line went dead',
    retryAt: at('2026-11-20', '12:00') + 500,
  });
});

test('a feed that fails, even unexpectedly, does not affect another feed', async () => {
  const broken = scripted('broken', saysThenFails(new TypeError('x is not a function')));
  const { supervisor, submitted, untilSubmitted, untilPaused } = supervise([
    broken,
    scripted('sound', says([update(1)], [update(2)])),
  ]);
  await using _ = supervisor;
  await Promise.all([untilSubmitted(2), untilPaused(1)]);
  assert.deepEqual(submitted, [[update(1)], [update(2)]]);
  assert.equal(supervisor.states()[0]?.lastFault?.code, 'unexpected');
  assert.equal(supervisor.states()[1]?.failures, 0);
});

test('a feed is asked for its next batch only when the previous one is durable', async () => {
  const events: string[] = [];
  const durable = deferred<readonly Outcome[]>();
  const second = deferred<void>();
  const handedOver = deferred<void>();
  const { supervisor } = supervise(
    [
      scripted('a', async function* speak() {
        yield batchOf([update(1)]);
        events.push('asked for more');
        yield batchOf([update(2)]);
      }),
    ],
    {
      ingest: {
        submit(updates) {
          events.push(`submitted ${updates[0]?.last}`);
          if (updates[0]?.last === 2) second.resolve();
          handedOver.resolve();
          return durable.promise;
        },
      },
    },
  );
  await using _ = supervisor;
  await handedOver.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(events, ['submitted 1']);
  durable.resolve(['accepted']);
  await second.promise;
  assert.deepEqual(events, ['submitted 1', 'asked for more', 'submitted 2']);
});

test('a batch that cannot be stored is submitted again, and is not a failure of the feed', async () => {
  let attempts = 0;
  const stored = deferred<void>();
  const { supervisor, pauses } = supervise([scripted('a', says([update(1)]))], {
    ingest: {
      async submit(): Promise<readonly Outcome[]> {
        attempts += 1;
        if (attempts < 4) throw new StoreFault('unavailable', 'the disk is full');
        stored.resolve();
        return ['accepted'];
      },
    },
  });
  await using _ = supervisor;
  await stored.promise;
  assert.equal(attempts, 4);
  assert.deepEqual(pauses, [50, 100, 200]);
  assert.equal(supervisor.states()[0]?.failures, 0);
});

test('a feed that has ended is not started again', async () => {
  const { supervisor, pauses, untilSubmitted } = supervise([scripted('a', says([update(1)]))]);
  await untilSubmitted(1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(supervisor.states()[0]?.phase, 'ended');
  assert.deepEqual(pauses, []);
  await supervisor[Symbol.asyncDispose]();
});

test('the updates of every source are counted by their outcome', async () => {
  const outcomes: readonly Outcome[] = ['accepted', 'unchanged', { refused: 'in-future' }];
  const { supervisor } = supervise([], {
    pushed: [{ name: 'desk', staleAfterMs: minuteMs, markets: undefined }],
    ingest: { submit: async () => outcomes },
  });
  await using _ = supervisor;
  assert.equal(await supervisor.intake('desk').submit([update(1), update(1), update(1)]), outcomes);
  await supervisor.intake('desk').submit([]);
  const [state] = supervisor.states();
  assert.deepEqual(
    state?.updates,
    new Map([
      ['accepted', 2],
      ['unchanged', 2],
      ['in-future', 2],
    ]),
  );
  assert.equal(state?.phase, 'connected');
});

test('a stale source beside a living one is named, whether it is connected to or pushes', async () => {
  let now = at('2026-11-20', '12:00');
  const staleAfterMs = 5 * minuteMs;
  const { supervisor } = supervise([], {
    clock: clockAt(() => now),
    pushed: ['desk', 'vendor'].map((name) => ({ name, staleAfterMs, markets: undefined })),
    latest: ({ ticker }) =>
      ticker === 'BTC' ? { source: { name: 'vendor' }, asOf: 7 } : undefined,
  });
  await using _ = supervisor;
  const last = now;
  await supervisor.intake('desk').submit([{ ...update(1), at: now }]);
  now += staleAfterMs + 1;
  await supervisor.intake('vendor').submit([{ ...update(9, 'BTC'), at: now }]);
  const { outage, stale } = supervisor.sources();
  assert.equal(outage, undefined);
  assert.deepEqual(stale, [{ name: 'desk', markets: ['BYMA'], lastPriceAt: last }]);
  now = at('2026-11-21', '12:00');
  const onSaturday = supervisor.sources().stale.map(({ name, markets }) => [name, markets]);
  assert.deepEqual(onSaturday, [['vendor', ['CRIPTO']]], 'the market of the other one is closed');
});

test('of two sources of an instrument, the first in the order is used while it works, and the other while it is stale', async () => {
  let now = at('2026-11-20', '12:00');
  const taken: (readonly [string | undefined, readonly Update[]])[] = [];
  const prices = new Map<string, string>();
  const { supervisor } = supervise([], {
    clock: clockAt(() => now),
    pushed: [
      { name: 'desk', staleAfterMs: 5 * minuteMs, markets: undefined },
      { name: 'vendor', staleAfterMs: 60 * minuteMs, markets: undefined, delayMinutes: 20 },
    ],
    order: ['vendor', 'desk'],
    latest: ({ ticker }) => ({ source: { name: prices.get(ticker) } }),
    ingest: {
      async submit(updates, source) {
        if (updates.length > 0) taken.push([source?.name, updates]);
        for (const { ticker } of updates)
          if (source?.name !== undefined) prices.set(ticker, source.name);
        return updates.map(() => 'accepted');
      },
    },
  });
  await using _ = supervisor;
  const [desk, vendor] = [supervisor.intake('desk'), supervisor.intake('vendor')];
  const [one, btc] = [
    { ...update(1), at: now },
    { ...update(9, 'BTC'), at: now },
  ];
  await vendor.submit([one]);
  assert.deepEqual(await desk.submit([one, btc]), ['superseded', 'accepted']);
  assert.deepEqual(
    supervisor.states().map(({ name, instruments }) => [name, instruments]),
    [
      ['desk', 1],
      ['vendor', 1],
    ],
  );
  assert.equal(supervisor.states()[0]?.updates.get('superseded'), 1);
  now += 60 * minuteMs + 1;
  const later = { ...one, at: now };
  assert.deepEqual(await desk.submit([later]), ['accepted']);
  await vendor.submit([]);
  assert.deepEqual(await desk.submit([later]), ['superseded'], 'an empty batch is a recovery');
  assert.deepEqual(taken, [
    ['vendor', [one]],
    ['desk', [btc]],
    ['desk', [later]],
  ]);
});

test('stopping ends every feed and waits for the batches it has submitted', async () => {
  const durable = deferred<readonly Outcome[]>();
  const handedOver = deferred<void>();
  let isReturned = false;
  let submissions = 0;
  const { supervisor } = supervise(
    [
      scripted('a', async function* speak() {
        try {
          yield batchOf([update(1)]);
          yield batchOf([update(2)]);
        } finally {
          isReturned = true;
        }
      }),
      scripted('b'),
    ],
    {
      pause: (_, signal) => aborted(signal),
      ingest: {
        submit() {
          submissions += 1;
          handedOver.resolve();
          return durable.promise;
        },
      },
    },
  );
  await handedOver.promise;
  let isStopped = false;
  const stopping = supervisor[Symbol.asyncDispose]().then(() => (isStopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isStopped, false);
  durable.resolve(['accepted']);
  await stopping;
  assert.equal(isReturned, true);
  assert.equal(submissions, 1, 'the feed is not asked for another batch');
});

test('a feed that ignores the stop signal does not delay the stop, and is logged', async () => {
  const never = new Promise<never>(() => undefined);
  const { supervisor, pauses, lines } = supervise([
    scripted('deaf', async function* speak() {
      yield await never;
    }),
  ]);
  await supervisor[Symbol.asyncDispose]();
  assert.deepEqual(pauses, [5_000]);
  const [line, ...more] = lines;
  assert.deepEqual([line?.level, line?.details, more], ['warn', { feeds: ['deaf'] }, []]);
});

test('by default, the supervisor pauses in real time before it submits a batch again', async () => {
  const attempts: number[] = [];
  const stored = deferred<void>();
  const supervisor = superviseFeeds({
    feeds: [scripted('a', says([update(1)]))],
    universe,
    clock: clockAt(() => at('2026-11-20', '12:00')),
    random: () => 0,
    log: silentLog,
    ingest: {
      async submit(): Promise<readonly Outcome[]> {
        attempts.push(performance.now());
        if (attempts.length === 1) throw new StoreFault('unavailable', 'the disk is full');
        stored.resolve();
        return ['accepted'];
      },
    },
  });
  await using _ = supervisor;
  await stored.promise;
  const [first = 0, second = 0] = attempts;
  // The first pause is 50 ms; timers may fire a little early.
  assert.ok(second - first >= 45, `only ${second - first} ms`);
});

test('stopping interrupts a pause in real time', async () => {
  const failed = deferred<void>();
  const refused = new FeedFault('refused', 'the key is wrong');
  const supervisor = superviseFeeds({
    feeds: [scripted('a', saysThenFails(refused))],
    universe,
    clock: clockAt(() => at('2026-11-20', '12:00')),
    random: () => 0.999,
    log: { ...silentLog, warn: () => failed.resolve() },
    ingest: { submit: async () => [] },
  });
  await failed.promise;
  // The pause takes at least 7.5 minutes, which is longer than this wait.
  await within('the supervisor has stopped', Promise.resolve(supervisor[Symbol.asyncDispose]()));
  assert.equal(supervisor.states()[0]?.phase, 'ended');
});

test('stopping feeds that obey the signal logs nothing and leaves no timer', async () => {
  const signals: AbortSignal[] = [];
  const { supervisor, lines } = supervise([scripted('a')], {
    pause: (_, signal) => {
      signals.push(signal);
      return aborted(signal);
    },
  });
  await supervisor[Symbol.asyncDispose]();
  assert.deepEqual(lines, []);
  assert.deepEqual(
    signals.map((signal) => signal.aborted),
    [true],
    'the wait for the feeds has ended',
  );
});

test('a batch that could not be stored is not submitted again when the supervisor stops', async () => {
  let attempts = 0;
  const submitted = deferred<void>();
  const outcome = deferred<readonly Outcome[]>();
  const { supervisor } = supervise([scripted('a', says([update(1)]))], {
    ingest: {
      submit() {
        attempts += 1;
        submitted.resolve();
        return attempts === 1 ? outcome.promise : Promise.resolve(['accepted']);
      },
    },
    pause: async (ms, signal) => {
      if (ms === 5_000) await aborted(signal);
    },
  });
  await submitted.promise;
  const stopped = supervisor[Symbol.asyncDispose]();
  outcome.reject(new StoreFault('unavailable', 'the disk is full'));
  await stopped;
  assert.equal(attempts, 1);
});

test('a feed is started again when its source allows it, and no earlier', async () => {
  const limited = new FeedFault('limited', 'too many requests', { retryAfterMs: 20 * minuteMs });
  const refused = new FeedFault('refused', 'a wrong key');
  const { supervisor, pauses, untilPaused } = supervise([
    scripted('a', saysThenFails(limited), saysThenFails(refused), saysThenFails(refused)),
  ]);
  await untilPaused(3);
  assert.equal(pauses[0], 20 * minuteMs);
  // Half of twice, and of four times, a quarter of an hour: `random` is 0.
  assert.deepEqual(pauses.slice(1), [15 * minuteMs, 30 * minuteMs]);
  await supervisor[Symbol.asyncDispose]();
});

test('what a feed rejects is counted by reason, and a failed request does not stop the feed', async () => {
  const failed = [new FeedFault('invalid-request', 'https://source.test/b answered 404')];
  const { supervisor, pauses, lines, untilSubmitted } = supervise([
    scripted('a', async function* speak() {
      const rejected = { reason: 'crossed', symbol: 'X', sample: '2 > 1' } as const;
      yield { updates: [update(1)], rejected: [rejected, rejected] };
      yield { updates: [], rejected: [{ reason: 'no-price', sample: 'null' }], failed };
      yield { updates: [update(2)], rejected: [] };
    }),
  ]);
  await using _ = supervisor;
  await untilSubmitted(3);
  const [state] = supervisor.states();
  assert.deepEqual(
    state?.rejected,
    new Map([
      ['crossed', 2],
      ['no-price', 1],
    ]),
  );
  assert.equal(state?.failures, 1);
  assert.deepEqual(pauses, []);
  assert.ok(lines.some(({ message }) => message === 'request of a feed failed'));
});

test('no key is in the state or the log of a feed that fails or sends rows that are rejected', async () => {
  const { supervisor, lines, untilPaused } = supervise(
    [
      scripted('a', async function* speak() {
        yield { updates: [], rejected: [{ reason: 'unintelligible', sample: 'key sk-123' }] };
        throw new FeedFault('refused', 'wrong key sk-123');
      }),
    ],
    { secrets: redactions },
  );
  await using _ = supervisor;
  await untilPaused(1);
  const shown = JSON.stringify([supervisor.states()[0]?.lastFault, lines]);
  for (const text of [/wrong key \[secret\]/, /"samples":\["key \[secret\]"\]/]) {
    assert.match(shown, text);
  }
  assert.doesNotMatch(shown, /sk-123/);
});

test('only a feed that has failed recovers, also after a single failure', async () => {
  for (const [connections, messages] of [
    [[says([update(1)])], ['feed ended']],
    [
      [saysThenFails(lost), says([update(1)])],
      ['feed failed, restarting', 'feed recovered', 'feed ended'],
    ],
  ] as const) {
    const { supervisor, lines, ended } = supervise([scripted('a', ...connections)]);
    await using _ = supervisor;
    await ended;
    assert.deepEqual(
      lines.map(({ message }) => message),
      messages,
    );
  }
});

test('what a feed throws when the supervisor stops is no failure of it', async () => {
  const started = deferred<void>();
  const { supervisor, lines, pauses } = supervise(
    [
      scripted('a', async function* speak(signal) {
        started.resolve();
        await aborted(signal);
        yield* [];
        throw lost;
      }),
    ],
    { pause: async (_, signal) => aborted(signal) },
  );
  await started.promise;
  await supervisor[Symbol.asyncDispose]();
  const [state] = supervisor.states();
  assert.deepEqual([state?.phase, state?.failures, state?.lastFault], ['ended', 0, undefined]);
  assert.deepEqual([lines, pauses], [[], []]);
});

test('an error that is no fault of the store is not retried, and is logged as a mistake of the program', async () => {
  const attempts: number[] = [];
  const broken = new TypeError('x is not a function');
  const { supervisor, lines, untilPaused } = supervise([scripted('a', says([update(1)]))], {
    ingest: {
      async submit(updates): Promise<readonly Outcome[]> {
        attempts.push(updates.length);
        throw broken;
      },
    },
  });
  await using _ = supervisor;
  await untilPaused(1);
  assert.deepEqual(attempts, [1]);
  const details = { feed: 'a', code: 'unexpected', failures: 1, pauseMs: 500, err: broken };
  const message = 'feed failed unexpectedly, restarting';
  assert.deepEqual(lines, [{ level: 'error', message, details }]);
});

test('what a feed throws need not be an error', async () => {
  const { supervisor, untilPaused } = supervise([
    scripted('a', async function* speak() {
      yield* [];
      throw 'a text' as unknown;
    }),
  ]);
  await untilPaused(1);
  const { lastFault } = supervisor.states()[0] ?? {};
  assert.deepEqual(lastFault, {
    code: 'unexpected',
    reason: 'program',
    detail: undefined,
    message: 'a text',
    retryAt: at('2026-11-20', '12:00') + 500,
  });
  await supervisor[Symbol.asyncDispose]();
});

test('updates carry the name of their source and its delay, if the source states it', async () => {
  const seen: unknown[] = [];
  const { supervisor } = supervise([], {
    pushed: [
      { name: 'desk', staleAfterMs: minuteMs, markets: undefined, delayMinutes: undefined },
      { name: 'vendor', staleAfterMs: minuteMs, markets: undefined, delayMinutes: 20 },
    ],
    ingest: {
      async submit(_updates, source) {
        seen.push(source);
        return ['accepted'];
      },
    },
  });
  await using _ = supervisor;
  await supervisor.intake('desk').submit([update(1, 'GGAL')]);
  await supervisor.intake('vendor').submit([update(1, 'BTC')]);
  assert.deepEqual(seen, [
    { name: 'desk', delayMinutes: undefined },
    { name: 'vendor', delayMinutes: 20 },
  ]);
});

const failure = (code: 'limited' | 'unavailable') => new FeedFault(code, `${code} sk-123`);

test('the first, second and fourth failed request of a feed are logged, with the fault and the number of failures', async () => {
  const { supervisor, lines, ended } = supervise(
    [
      scripted('a', async function* speak() {
        yield { updates: [], rejected: [], failed: [failure('limited'), failure('unavailable')] };
        yield { updates: [], rejected: [], failed: [failure('limited'), failure('limited')] };
      }),
    ],
    { secrets: redactions },
  );
  await using _ = supervisor;
  await ended;
  assert.deepEqual(
    lines.filter(({ level }) => level === 'warn').map(({ details }) => details),
    [
      { feed: 'a', code: 'limited', fault: 'limited [secret]', failures: 1 },
      { feed: 'a', code: 'unavailable', fault: 'unavailable [secret]', failures: 2 },
      { feed: 'a', code: 'limited', fault: 'limited [secret]', failures: 4 },
    ],
  );
});

test('a failure is logged as a warning when the failures in a row are a power of two, and else for debugging', async () => {
  const fails = saysThenFails(lost);
  const { supervisor, lines, untilPaused } = supervise([scripted('a', fails, fails, fails, fails)]);
  await using _ = supervisor;
  await untilPaused(4);
  assert.deepEqual(
    lines.map(({ level, details }) => [level, 'failures' in details && details.failures]),
    [
      ['warn', 1],
      ['warn', 2],
      ['debug', 3],
      ['warn', 4],
    ],
  );
});

test('two sources of one name, and a source that does not exist, are mistakes of the program', async () => {
  assert.throws(() => supervise([scripted('a'), scripted('a')]), /two sources are named a/);
  const { supervisor } = supervise([]);
  assert.throws(() => supervisor.intake('b'), /no source is named b/);
  await supervisor[Symbol.asyncDispose]();
});

test('a feed that is started again is connecting until its first batch', async () => {
  const { supervisor, untilPaused } = supervise([scripted('a', saysThenFails(lost, [update(1)]))]);
  await using _ = supervisor;
  await untilPaused(1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(supervisor.states()[0]?.phase, 'connecting');
});

test('the updates that the engine refuses are logged with their source and reason, as they are without keys', async () => {
  const { supervisor, lines } = supervise([], {
    pushed: [{ name: 'desk', staleAfterMs: minuteMs, markets: undefined }],
    ingest: { submit: async () => [{ refused: 'implausible' }] },
  });
  await using _ = supervisor;
  await supervisor.intake('desk').submit([update(1, 'sk-123')]);
  const samples = ['sk-123: {"at":"1970-01-01T00:00:00.000Z","last":1}'];
  assert.deepEqual(
    lines.map(({ level, details }) => [level, details]),
    [['warn', { feed: 'desk', reason: 'implausible', count: 1, samples }]],
  );
});

test('a feed that gives no prices for a time counts as failed until a batch without an outage, and is not restarted', async () => {
  const steps = [deferred<void>(), deferred<void>(), deferred<void>(), deferred<void>()] as const;
  const idle = { updates: [], rejected: [] };
  const outage = new FeedFault('unavailable', 'its own sources have failed', { status: 200 });
  const { supervisor, submitted, pauses, lines } = supervise([
    scripted('a', async function* speak(signal) {
      yield batchOf([update(1)]);
      yield { ...idle, outage };
      yield { ...idle, outage };
      steps[0].resolve();
      await steps[1].promise;
      yield { updates: [update(2)], rejected: [], outage };
      steps[2].resolve();
      await steps[3].promise;
      yield idle;
      steps[0].resolve();
      await aborted(signal);
    }),
  ]);
  const warned = () => lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
  await using _ = supervisor;
  const phase = () => supervisor.states()[0]?.phase;
  await within('the outage', steps[0].promise);
  assert.deepEqual([phase(), supervisor.sources().outage], ['waiting', 'server']);
  assert.deepEqual([warned(), supervisor.states()[0]?.failures], [['feed gives no prices'], 1]);
  steps[1].resolve();
  await within('the updates of the outage', steps[2].promise);
  assert.deepEqual([phase(), submitted.length], ['waiting', 2]);
  steps[3].resolve();
  await until('the recovery', () => phase() === 'connected');
  assert.deepEqual([supervisor.sources().outage, warned().length, pauses], [undefined, 1, []]);
});

test('the bars of a batch are handed over with its updates', async () => {
  const handed: unknown[] = [];
  const done = deferred<void>();
  const prices = { open: 1, high: 1, low: 1, last: 1, volume: null };
  const bars = [
    { ticker: 'GGAL' as Ticker, bar: { day: 20_777 as EpochDay, minute: 1, ...prices } },
  ];
  const { supervisor } = supervise(
    [
      scripted('a', async function* speak() {
        yield { updates: [], rejected: [], bars };
        done.resolve();
      }),
    ],
    {
      ingest: {
        async submit(updates, source, handedBars) {
          handed.push([updates, source?.name, handedBars]);
          return [];
        },
      },
    },
  );
  await using _ = supervisor;
  await done.promise;
  assert.deepEqual(handed, [[[], 'a', bars]]);
});
