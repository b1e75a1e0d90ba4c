import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readyz } from '../../http/private/routes.ts';
import type { FeedState } from '../../pipeline/live/feed-state.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { Metrics } from './metrics.ts';
import { CommitHealth, readinessOf } from './readiness.ts';

const fresh: FeedState = {
  name: 'one',
  phase: 'connected',
  isStale: false,
  isWatched: true,
  isPushed: false,
  isStarting: false,
  instruments: 0,
  lastBatchAt: 1,
  lagMs: 0,
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
      ['reads', true],
      ['board', true],
      ['store', true],
      ['feeds', true],
    ],
  );
});

test('the sources in use are named with the number of their instruments', () => {
  const [first, second] = [
    { ...fresh, instruments: 7 },
    { ...fresh, name: 'two' },
  ];
  const { sources } = readinessOf({ ...well, feeds: [first, second] });
  assert.deepEqual(sources, { ok: true, reason: 'one: 7 instruments, two: 0 instruments' });
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

test('a service whose feeds are all stale is not ready, and names them', () => {
  const [one, two] = ['one', 'two'].map((name) => ({ ...fresh, name, isStale: true }));
  const unconfigured = { ...fresh, name: 'push', isWatched: false };
  const { feeds } = readinessOf({
    ...well,
    feeds: [one, two, unconfigured].flatMap((f) => f ?? []),
  });
  const cases = ['one: stale', 'two: stale'];
  assert.deepEqual(feeds, { ok: false, reason: 'one: stale; two: stale', cases });
});

test('one stale feed among others is a fault that names it, and the service stays ready', async () => {
  const retryAt = Date.parse('2026-11-20T12:00:00Z');
  const message = 'https://source.test/ answered 401';
  const lastFault = {
    code: 'refused',
    reason: 'refused',
    detail: 'HTTP 401',
    message,
    retryAt,
  } as const;
  const failed = { ...fresh, name: 'two', isStale: true, phase: 'waiting', lastFault } as const;
  const recovered = { ...failed, name: 'three', isStale: false, phase: 'connected' } as const;
  const checks = readinessOf({ ...well, feeds: [fresh, failed, recovered] });
  const reason =
    'two: stale, failed (it refuses access, HTTP 401), next attempt at 2026-11-20T12:00:00.000Z';
  assert.deepEqual(checks['feeds'], { ok: false, blocks: false, reason, cases: [reason] });
  const answer = await readyz(() => checks).respond(undefined as never);
  assert.equal(answer.status, 200);
});

test('a failed feed that is not stale yet is named, and is no fault', () => {
  const lastFault = {
    code: 'unavailable',
    reason: 'timeout',
    detail: undefined,
    message: '',
    retryAt: 0,
  } as const;
  const failed = { ...fresh, phase: 'waiting', lastFault } as const;
  const { feeds } = readinessOf({ ...well, feeds: [failed] });
  assert.equal(feeds?.ok, true);
  assert.match(feeds?.reason ?? '', /^no source responds: .*failed \(no response in time\)/);
});

/** The reason of `feeds` in `/readyz`. */
function reasonOf(...feeds: readonly FeedState[]): string | undefined {
  return readinessOf({ ...well, feeds })['feeds']?.reason;
}

test('no source responds if all have failed, and none is starting', () => {
  const lastFault = {
    code: 'unavailable',
    reason: 'name',
    detail: 'ENOTFOUND',
    message: '',
    retryAt: 0,
  } as const;
  // An attempt under way is no success.
  const failed = { ...fresh, phase: 'connecting', lastFault } as const;
  const pushed = { ...fresh, name: 'push', phase: 'connecting', isPushed: true } as const;
  assert.match(reasonOf(failed, pushed) ?? '', /^no source responds: .*is not found, ENOTFOUND/);
  assert.match(reasonOf(failed, { ...fresh, name: 'two' }) ?? '', /^desk: failed|^[a-z]+: failed/);
  const starting = { ...fresh, name: 'two', phase: 'connecting', isStarting: true } as const;
  assert.match(reasonOf(failed, starting) ?? '', /^[a-z]+: failed/);
  assert.match(reasonOf(failed, { ...starting, isStarting: false }) ?? '', /^no source responds/);
});

test('a service without feeds is ready', () => {
  const { feeds } = readinessOf({ ...well, feeds: [{ ...fresh, isWatched: false }] });
  assert.deepEqual(feeds, { ok: true, reason: 'no feed is stale or failed' });
});

test('a stopping service is not ready, and gives the reason', () => {
  const { stop } = readinessOf({ ...well, isStopping: true });
  assert.deepEqual(stop, { ok: false, reason: 'the service is stopping' });
});

test('a node that no longer writes is ready, whatever became of its last commits, unless the store is damaged', () => {
  const commits = new CommitHealth();
  commits.failed();
  assert.equal(readinessOf({ ...well, commits })['store']?.ok, false);
  assert.equal(readinessOf({ ...well, commits, isWriter: false })['store']?.ok, true);
  commits.damaged();
  assert.equal(readinessOf({ ...well, commits, isWriter: false })['store']?.ok, false);
});

test('a fenced commit is no failure of the store, and a market that opens starts without failures', () => {
  const metrics = new Metrics({ version: '0' });
  const { commits } = metrics.pipeline();
  const isOk = (): boolean => metrics.commitHealth.check().ok;
  commits.failed(new StoreFault('fenced', 'another node has the claim'));
  assert.equal(isOk(), true);
  commits.failed(new StoreFault('unavailable', 'down'));
  assert.equal(isOk(), false);
  commits.begin?.();
  assert.equal(isOk(), true);
});

test('reading and accepting updates are told apart, and neither decides alone whether the service is ready', async () => {
  const fine = { ok: true, reason: 'this node writes' };
  const none = { ok: false, blocks: false, reason: 'no node writes' };
  const of = (node: Partial<Parameters<typeof readinessOf>[0]>) => {
    const checks = readinessOf({ ...well, ...node });
    return ['reads', 'updates', 'writer'].map((name) => checks[name]?.ok);
  };
  assert.deepEqual(of({ others: { updates: fine, writer: fine } }), [true, true, true]);
  assert.deepEqual(of({ others: { updates: none, writer: fine } }), [true, false, true]);
  const commits = new CommitHealth();
  commits.failed();
  assert.deepEqual(of({ commits, others: { updates: fine, writer: fine } }), [true, false, true]);
  assert.deepEqual(of({ quotes: 0, others: { updates: fine, writer: fine } }), [false, true, true]);
  const data = { ok: false, reason: 'behind' };
  assert.deepEqual(of({ others: { data, updates: none, writer: none } }), [false, false, false]);
  const stopped = of({ isStopping: true, others: { updates: fine, writer: fine } });
  assert.deepEqual(stopped, [false, false, true]);
  const readiness = readinessOf({ ...well, others: { updates: none, writer: none } });
  const { status } = await readyz(() => readiness).respond(undefined as never);
  assert.equal(status, 200, 'a node that only serves is ready');
});
