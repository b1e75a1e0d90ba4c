import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { FeedState } from '../../pipeline/feed-state.ts';
import { CommitHealth, readinessOf } from './readiness.ts';

const fresh: FeedState = {
  name: 'one',
  phase: 'connected',
  isStale: false,
  lastBatchAt: 1,
  updates: new Map(),
  rejected: new Map(),
  failures: 0,
  lastFault: undefined,
};

const well = { quotes: 5, instruments: 9, commits: new CommitHealth(), feeds: [fresh] };

test('a service with quotes, a working store and no stale feed is ready', () => {
  const checks = readinessOf(well);
  assert.deepEqual(
    Object.entries(checks).map(([name, { ok }]) => [name, ok]),
    [
      ['board', true],
      ['store', true],
      ['feeds', true],
    ],
  );
});

test('a service without quotes is not ready', () => {
  const { board } = readinessOf({ ...well, quotes: 0 });
  assert.deepEqual(board, { ok: false, reason: '0 of 9 instruments have a quote' });
});

test('the store is not ready from a failed commit until a successful one', () => {
  const commits = new CommitHealth();
  commits.failed();
  commits.failed();
  const { store } = readinessOf({ ...well, commits });
  assert.deepEqual(store, { ok: false, reason: 'the last 2 commits failed' });
  commits.committed();
  assert.equal(readinessOf({ ...well, commits })['store']?.ok, true);
});

test('a stale feed is named in the reason', () => {
  const stale = { ...fresh, name: 'two', isStale: true };
  const { feeds } = readinessOf({ ...well, feeds: [fresh, stale] });
  assert.deepEqual(feeds, { ok: false, reason: 'stale: two' });
});

test('a stopping service is not ready, and gives the reason', () => {
  const { stop } = readinessOf({ ...well, isStopping: true });
  assert.deepEqual(stop, { ok: false, reason: 'the service is stopping' });
});
