import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { FeedFault } from '../feeds/contract/feed.ts';
import { barSettleMs, type HistorySource } from '../feeds/contract/history-source.ts';
import { sessionDaysFrom } from './history/fetched-days.ts';
import { HistoryRequests, type RequestPause } from './source-requests.ts';

const ggal = 'GGAL' as Ticker;
const day = toEpochDay('2026-11-17' as PlainDate);

/** Requests to a source that throws these faults in order, with a clock that only pauses advance. */
function makeRequests(faults: readonly (Error | undefined)[], spacingMs = 0) {
  const left = [...faults];
  const aborter = new AbortController();
  const pauses: number[] = [];
  const turns: (RequestPause | undefined)[] = [];
  let monotonic = 0;
  const source: HistorySource = {
    name: 'one',
    instruments: [ggal],
    spacingMs,
    fetch: async () => {
      const fault = left.shift();
      if (fault !== undefined) throw fault;
      return { closes: [], rejected: [] };
    },
  };
  const requests = new HistoryRequests(source, {
    clock: { now: () => 0, monotonic: () => monotonic },
    random: () => 0,
    pause: async (ms) => {
      pauses.push(ms);
      monotonic += ms;
    },
    signal: aborter.signal,
  });
  const fetch = () =>
    requests.fetch(ggal, { from: day, to: day }, (waiting) => void turns.push(waiting));
  return { requests, fetch, pauses, turns, aborter };
}

test('a source that refuses access or cannot be trusted is left at once, whatever pause it asks for', async () => {
  for (const code of ['refused', 'untrusted'] as const) {
    const { requests, fetch, pauses } = makeRequests([
      new FeedFault(code, 'no', { retryAfterMs: 1 }),
    ]);
    assert.equal(await fetch(), undefined);
    assert.deepEqual([requests.stopped, requests.count], ['no', 1]);
    assert.deepEqual([pauses, requests.failed], [[], []]);
  }
});

test('an instrument fails without another attempt, and only failures in a row end the source', async () => {
  const wrong = new FeedFault('unintelligible', 'not JSON');
  const invalid = new FeedFault('invalid-request', 'status 404');
  const four = [wrong, invalid, wrong, invalid];
  const { requests, fetch } = makeRequests([...four, undefined, ...four, wrong]);
  for (let at = 0; at < 4; at += 1) assert.equal(await fetch(), undefined);
  assert.deepEqual(await fetch(), { closes: [], rejected: [] });
  for (let at = 0; at < 4; at += 1) assert.equal(await fetch(), undefined);
  assert.equal(requests.stopped, undefined);
  assert.equal(await fetch(), undefined);
  assert.equal(requests.stopped, '5 instruments in a row failed, the last with: not JSON');
  assert.equal(requests.count, 10);
  assert.equal(requests.failed.length, 9);
  assert.deepEqual(requests.failed[1], { ticker: ggal, message: 'status 404' });
});

function limited(retryAfterMs: number): FeedFault {
  return new FeedFault('limited', 'busy', { retryAfterMs });
}

test('a pause of up to five minutes is made, and a longer one is left for a later run', async () => {
  const short = makeRequests([limited(300_000)]);
  assert.deepEqual(await short.fetch(), { closes: [], rejected: [] });
  assert.deepEqual(short.pauses, [300_000]);
  assert.deepEqual(short.turns, [undefined, { ms: 300_000, cause: 'busy' }, undefined]);
  const long = makeRequests([limited(300_001)]);
  assert.equal(await long.fetch(), undefined);
  assert.equal(long.requests.stopped, 'busy; it asks to wait 6 minutes');
  assert.deepEqual(long.pauses, []);
  const unavailable = [1, 2, 3].map(() => new FeedFault('unavailable', 'down'));
  const down = makeRequests(unavailable);
  assert.equal(await down.fetch(), undefined);
  assert.equal(down.requests.stopped, 'down');
  assert.equal(down.requests.count, 3);
});

test('requests are spaced from one start to the next', async () => {
  const { requests, fetch, pauses } = makeRequests([], 1_000);
  await fetch();
  assert.deepEqual(pauses, []);
  await fetch();
  await fetch();
  assert.deepEqual(pauses, [1_000, 1_000]);
  assert.equal(requests.count, 3);
});

test('a defect and the fault of an aborted request are thrown as they are', async () => {
  const defect = new Error('defect');
  await assert.rejects(makeRequests([defect]).fetch(), defect);
  const fault = new FeedFault('unintelligible', 'cut');
  const { fetch, requests, aborter } = makeRequests([fault]);
  aborter.abort();
  await assert.rejects(fetch(), fault);
  assert.deepEqual(requests.failed, []);
  let calls = 0;
  assert.equal(await requests.forEach({}, async () => void (calls += 1)), undefined);
  assert.equal(calls, 0);
});

test('a session is requested from half an hour after its close on', () => {
  const universe = makeUniverse([{ ticker: ggal }]);
  const close = Date.parse('2026-11-20T17:00:00-03:00');
  const daysAt = (now: number): readonly EpochDay[] =>
    sessionDaysFrom('2026-11-19' as PlainDate, { universe, clock: { now: () => now } })(ggal);
  const [thursday, friday] = [toEpochDay('2026-11-19' as PlainDate), day + 3];
  assert.equal(barSettleMs, 1_800_000);
  assert.deepEqual(daysAt(close + barSettleMs - 1), [thursday]);
  assert.deepEqual(daysAt(close + barSettleMs), [thursday, friday]);
});

test('where sessions follow one another at midnight, that of yesterday is requested half an hour later', () => {
  const btc = 'BTC' as Ticker;
  const universe = makeUniverse([{ ticker: btc, kind: 'crypto', market: 'CRIPTO' }]);
  const midnight = Date.parse('2026-11-21T00:00:00-03:00');
  const daysAt = (now: number): readonly EpochDay[] =>
    sessionDaysFrom('2026-11-19' as PlainDate, { universe, clock: { now: () => now } })(btc);
  assert.deepEqual(daysAt(midnight + barSettleMs - 1), [day + 2]);
  assert.deepEqual(daysAt(midnight + barSettleMs), [day + 2, day + 3]);
});

test('no session is requested from the maturity of a bill on', () => {
  const bill = 'S20N6' as Ticker;
  const from = '2026-11-18' as PlainDate;
  const now = Date.parse('2026-11-24T12:00:00-03:00');
  const daysOf = (maturity?: string): readonly EpochDay[] => {
    const universe = makeUniverse([
      { ticker: bill, kind: 'bill', ...(maturity !== undefined && { maturity }) },
    ]);
    return sessionDaysFrom(from, { universe, clock: { now: () => now } })(bill);
  };
  assert.deepEqual(daysOf('2026-11-20'), [day + 1, day + 2]);
  assert.deepEqual(daysOf('2026-11-18'), []);
  assert.deepEqual(daysOf('2026-11-30'), daysOf());
});
