import assert from 'node:assert/strict';
import { test } from 'node:test';

import { until } from '../../../test/support/wait.ts';
import type { IndexSource } from '../../feeds/contract/history-source.ts';
import { FeedFault } from '../../feeds/contract/feed.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { IndexStore } from '../../store/contract/versioned-stores.ts';
import { fillIndices } from './fill-indices.ts';

const start = Date.parse('2026-11-20T15:00:00Z');

/** An empty store. What is put into it is counted by the caller. */
const store: Pick<IndexStore, 'readAll' | 'apply'> = {
  readAll: async () => ({ revision: 0, values: [] }),
  apply: async ({ put = [] }) => put.map((value) => ({ value })),
};

/**
 * Fills until a source was asked some times, with a clock that only pauses advance. Returns the minutes of the
 * requests since the start, and the lines of the log.
 */
async function requestsOf(
  count: number,
  faults: readonly (FeedFault | undefined)[] = [],
  isCopy = false,
): Promise<{
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
  readonly lines: readonly string[];
}> {
  let elapsed = 0;
  const minutes: number[] = [];
  const seconds: number[] = [];
  const lines: string[] = [];
  const source: IndexSource = {
    name: 'bcra',
    indices: ['CER'],
    spacingMs: 0,
    isCopy,
    fetch: async () => {
      const fault = faults[minutes.length];
      minutes.push(Math.round(elapsed / 60_000));
      seconds.push(elapsed / 1_000);
      if (fault !== undefined) throw fault;
      return { values: [{ day: 20_777 as never, value: 750 }], rejected: [] };
    },
  };
  const line = (_: object, message: string): void => void lines.push(message);
  const log: Log = { debug: line, info: line, warn: line, error: line };
  await using _ = fillIndices({
    sources: [source],
    store,
    calendar: undefined,
    clock: { now: () => start + elapsed, monotonic: () => elapsed },
    random: () => 0,
    pause: async (ms, signal) => {
      await new Promise((resolve) => void setImmediate(resolve));
      signal.throwIfAborted();
      elapsed += ms;
    },
    log,
  });
  await until('the requests', () => minutes.length >= count, { everyTurn: true });
  return { minutes, seconds, lines };
}

test('indices are requested shortly after the start, and every three hours from then on', async () => {
  const { minutes, lines } = await requestsOf(4);
  assert.deepEqual(minutes.slice(0, 4), [0, 180, 360, 540]);
  assert.ok(lines.every((line) => line === 'index refreshed'));
});

test('the indices of another Pizarra are read again within a minute', async () => {
  const { seconds } = await requestsOf(4, [], true);
  assert.deepEqual(seconds.slice(0, 4), [15, 55, 95, 135]);
  const fault = new FeedFault('refused', 'status 403');
  assert.deepEqual((await requestsOf(2, [fault], true)).seconds.slice(0, 2), [15, 315]);
});

test('a run in which an index failed is repeated an hour later', async () => {
  const { minutes, lines } = await requestsOf(2, [new FeedFault('refused', 'status 403')]);
  assert.deepEqual(minutes.slice(0, 2), [0, 60]);
  assert.equal(lines[0], 'index not refreshed, retrying');
});

test('without a source nothing runs, and disposing ends a pause', async () => {
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  };
  const parts = {
    store,
    calendar: undefined,
    clock: { now: () => start, monotonic: () => 0 },
    random: () => 0,
    pause: (_: number, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    log,
  };
  await fillIndices({ ...parts, sources: [] })[Symbol.asyncDispose]();
  const never: IndexSource = {
    name: 'bcra',
    indices: ['CER'],
    spacingMs: 0,
    fetch: () => assert.fail('asked before the first pause was over'),
  };
  await fillIndices({ ...parts, sources: [never] })[Symbol.asyncDispose]();
});
