import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../lib/reports/log.ts';
import { FeedFault, type Feed, type Rejected } from '../contract/feed.ts';
import { ReplayClock, type ReplaySpeed, createReplayFeed, mapUpdatesLine } from './index.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';

/** Recordings in a directory, and a real clock that advances only while the feed waits. */
async function prepareReplay(
  files: Readonly<Record<string, readonly string[]>>,
  options: {
    readonly speed?: ReplaySpeed;
    readonly alsoPlay?: readonly string[];
    readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  } = {},
): Promise<
  AsyncDisposable & {
    readonly feed: Feed;
    readonly clock: ReplayClock;
    readonly passReal: (ms: number) => void;
    readonly realNow: () => number;
  }
> {
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-replay-'));
  for (const [name, lines] of Object.entries(files)) {
    await writeFile(join(directory, name), lines.join('\n'));
  }
  let real = 0;
  const { speed = 'max', alsoPlay = [] } = options;
  const clock = new ReplayClock({ real: clockAt(() => real), speed });
  const feed = createReplayFeed(
    {
      type: 'replay',
      name: 'test',
      staleAfterSeconds: 1,
      files: [...Object.keys(files), ...alsoPlay],
      format: 'updates',
      speed,
    },
    {
      clock,
      directory,
      log: silentLog,
      mapLine: mapUpdatesLine,
      pause:
        options.pause ??
        (async (ms) => {
          real += ms;
        }),
    },
  );
  return {
    feed,
    clock,
    passReal: (ms) => void (real += ms),
    realNow: () => real,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

const start = Date.parse('2025-07-01T12:00:00Z');

function line(afterMs: number, last: number): string {
  return JSON.stringify({ ticker: 'GGAL', at: new Date(start + afterMs).toISOString(), last });
}

const running = new AbortController().signal;

test('the clock follows the recording, and at full speed stands at each record', async () => {
  await using it = await prepareReplay({ a: [line(0, 1), line(3_600_000, 2)] });
  assert.equal(it.clock.now(), 0, 'before the first record nothing has ended');
  const seen: (number | undefined)[][] = [];
  for await (const batch of it.feed.batches(running)) {
    it.passReal(50);
    seen.push([it.clock.now() - start, batch.updates[0]?.last]);
  }
  assert.deepEqual(seen, [
    [0, 1],
    [3_600_000, 2],
  ]);
});

test('after the last record the clock continues, so that the last session ends too', async () => {
  await using it = await prepareReplay({ a: [line(0, 1)] });
  for await (const _ of it.feed.batches(running)) it.passReal(1);
  it.passReal(60_000);
  assert.equal(it.clock.now() - start, 60_000);
});

test('at N times the speed, the wait is an Nth of the recorded time, and none before the first record', async () => {
  await using it = await prepareReplay({ a: [line(0, 1), line(90_000, 2)] }, { speed: 60 });
  const seen: number[][] = [];
  for await (const _ of it.feed.batches(running)) seen.push([it.realNow(), it.clock.now() - start]);
  assert.deepEqual(seen, [
    [0, 0],
    [1500, 90_000],
  ]);
  it.passReal(100);
  assert.equal(it.clock.now() - start, 96_000, 'the pace stays the same after the end');
});

test('several files are played as one, in order of recorded time', async () => {
  await using it = await prepareReplay({
    a: [line(0, 1), line(3000, 4)],
    b: [line(1000, 2), line(2000, 3), line(4000, 5)],
  });
  const lasts: unknown[] = [];
  for await (const batch of it.feed.batches(running)) lasts.push(batch.updates[0]?.last);
  assert.deepEqual(lasts, [1, 2, 3, 4, 5]);
});

test('a line with an earlier instant is played at once, and the clock never goes back', async () => {
  await using it = await prepareReplay({ a: [line(5000, 1), line(1000, 2), line(6000, 3)] });
  const seen: unknown[][] = [];
  for await (const batch of it.feed.batches(running)) {
    seen.push([batch.updates[0]?.last, it.clock.now() - start]);
  }
  assert.deepEqual(seen, [
    [1, 5000],
    [2, 5000],
    [3, 6000],
  ]);
});

test('entries that are not updates are rejected and reported, and the rest is played', async () => {
  await using it = await prepareReplay({
    a: [line(0, 1), '{', '', '{"ticker":"GGAL"}', line(1, 2)],
  });
  const lasts: unknown[] = [];
  const rejected: Rejected[] = [];
  for await (const batch of it.feed.batches(running)) {
    lasts.push(...batch.updates.map(({ last }) => last));
    rejected.push(...batch.rejected);
  }
  assert.deepEqual(lasts, [1, 2]);
  assert.deepEqual(
    rejected.map(({ reason }) => reason),
    ['unintelligible', 'unintelligible'],
  );
  assert.match(rejected[0]?.sample ?? '', /a:2: Not JSON/);
  assert.match(rejected[1]?.sample ?? '', /a:4: at is missing/);
});

test('a recording that cannot be read is a fault', async () => {
  await using it = await prepareReplay({ a: [] }, { alsoPlay: ['missing.ndjson'] });
  await assert.rejects(
    async () => {
      for await (const _ of it.feed.batches(running)) assert.fail('nothing is to be played');
    },
    (fault) => fault instanceof FeedFault && fault.code === 'unavailable',
  );
});

test('the signal ends a replay between records', async () => {
  await using it = await prepareReplay({ a: [line(0, 1), line(1000, 2), line(2000, 3)] });
  const stopping = new AbortController();
  const lasts: unknown[] = [];
  for await (const batch of it.feed.batches(stopping.signal)) {
    lasts.push(batch.updates[0]?.last);
    if (lasts.length === 2) stopping.abort();
  }
  assert.deepEqual(lasts, [1, 2]);
});

test('the signal aborts a wait without a fault', async () => {
  const stopping = new AbortController();
  await using it = await prepareReplay(
    { a: [line(0, 1), line(3_600_000, 2)] },
    {
      speed: 1,
      async pause(_, signal) {
        stopping.abort();
        signal.throwIfAborted();
      },
    },
  );
  const lasts: unknown[] = [];
  for await (const batch of it.feed.batches(stopping.signal)) lasts.push(batch.updates[0]?.last);
  assert.deepEqual(lasts, [1]);
});
