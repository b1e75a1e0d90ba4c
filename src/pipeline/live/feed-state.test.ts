import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clockAt } from '../../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { faultSummaryOf } from './fault-summary.ts';
import { FeedFault, type Source } from '../../feeds/contract/feed.ts';
import { FeedTallies, FeedWatch, labelOf } from './feed-state.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';

const minuteMs = 60_000;
const staleAfterMs = 5 * minuteMs;
const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'BTC', market: 'CRIPTO' }]);

/** A watch on a Friday at noon, when all markets are open. */
function studio(source: Partial<Source> = {}, tallies = new FeedTallies()) {
  const clock = { ms: Date.parse('2026-11-20T12:00:00-03:00') };
  const watch = new FeedWatch(
    { name: 'desk', staleAfterMs, markets: undefined, ...source },
    { universe, calendars: new MarketCalendars(universe), clock: clockAt(() => clock.ms), tallies },
  );
  return { watch, clock };
}

const update = { ticker: 'GGAL' as Ticker, at: 0, last: 1 };
const failed = [new FeedFault('unavailable', 'no answer')];

test('a source is watched until it ends, unless no data is expected of it', () => {
  const { watch } = studio();
  assert.equal(watch.state().isWatched, true);
  watch.phase = 'ended';
  assert.equal(watch.state().isWatched, false);
  assert.equal(studio({ staleAfterMs: Infinity }).watch.state().isWatched, false);
});

test('a source is stale after its limit without a batch, and never after it has ended', () => {
  const { watch, clock } = studio();
  watch.heard([update]);
  clock.ms += staleAfterMs;
  assert.equal(watch.state().isStale, false);
  clock.ms += 1;
  assert.equal(watch.state().isStale, true);
  watch.phase = 'ended';
  assert.equal(watch.state().isStale, false);
});

test('the lag is that of the newest update at its arrival, and does not grow while nothing newer comes', () => {
  const { watch, clock } = studio();
  const now = clock.ms;
  watch.heard([
    { ...update, at: now - 90_000 },
    { ...update, at: now - 20_000 },
    { ...update, at: now - 60_000 },
  ]);
  assert.equal(watch.state().lagMs, 20_000);
  clock.ms += 3_600_000;
  watch.heard([{ ...update, at: now - 20_000 }]);
  watch.heard([]);
  assert.equal(watch.state().lagMs, 20_000);
  watch.heard([{ ...update, at: clock.ms - 500 }]);
  assert.equal(watch.state().lagMs, 500);
});

test('an instant in the future counts as its arrival, so that it hides no later lag', () => {
  const { watch, clock } = studio();
  watch.heard([{ ...update, at: clock.ms + 86_400_000 }]);
  assert.equal(watch.state().lagMs, 0);
  clock.ms += 60_000;
  watch.heard([{ ...update, at: clock.ms - 7_000 }]);
  assert.equal(watch.state().lagMs, 7_000);
});

test('a new source is connecting, without a batch, a fault or a count', () => {
  const { watch } = studio();
  assert.deepEqual(watch.state(), {
    name: 'desk',
    phase: 'connecting',
    isWatched: true,
    isPushed: false,
    isStarting: true,
    isStale: false,
    lastBatchAt: undefined,
    lagMs: undefined,
    updates: new Map(),
    rejected: new Map(),
    failures: 0,
    lastFault: undefined,
  });
});

test('outcomes, rejections and failures are counted, and the last fault is kept', () => {
  const { watch, clock } = studio();
  watch.heard([update]);
  watch.count(['accepted', 'accepted', 'superseded', { refused: 'in-future' }]);
  watch.countRejected([
    { reason: 'crossed', sample: '' },
    { reason: 'crossed', sample: '' },
  ]);
  watch.countFailed([...failed, ...failed]);
  const fault = {
    code: 'unavailable',
    reason: 'connection',
    detail: undefined,
    message: 'no answer',
    retryAt: 7,
  } as const;
  watch.failed(fault);
  const { phase, lastBatchAt, updates, rejected, failures, lastFault } = watch.state();
  assert.deepEqual([phase, lastBatchAt, failures, lastFault], ['waiting', clock.ms, 3, fault]);
  assert.deepEqual(
    updates,
    new Map([
      ['accepted', 2],
      ['superseded', 1],
      ['in-future', 1],
    ]),
  );
  assert.deepEqual(rejected, new Map([['crossed', 2]]));
});

test('the counters of a source continue in the next watch of the same name', () => {
  const tallies = new FeedTallies();
  studio({}, tallies).watch.count(['accepted']);
  studio({ name: 'other' }, tallies).watch.count(['accepted']);
  const { watch } = studio({}, tallies);
  watch.count(['accepted']);
  assert.deepEqual(watch.state().updates, new Map([['accepted', 2]]));
});

test('a source is reliable while it is connected and not idle for too long', () => {
  const { watch, clock } = studio();
  assert.equal(watch.reliableSince(), Infinity, 'not connected yet');
  watch.heard([update]);
  assert.equal(watch.reliableSince(), -Infinity);
  clock.ms += staleAfterMs;
  assert.equal(watch.reliableSince(), -Infinity);
  clock.ms += 1;
  assert.equal(watch.reliableSince(), Infinity, 'idle');
  watch.heard([]);
  assert.equal(watch.reliableSince(), -Infinity);
  watch.failed(faultSummaryOf(failed[0], { redact: String, retryAt: 0 }));
  assert.equal(watch.reliableSince(), Infinity, 'failed');
});

test('after a failed request, what a source reported within its limit counts, until that time has passed', () => {
  const { watch, clock } = studio();
  watch.heard([update]);
  watch.countFailed([]);
  assert.equal(watch.reliableSince(), -Infinity);
  watch.countFailed(failed);
  assert.equal(watch.reliableSince(), clock.ms - staleAfterMs);
  clock.ms += staleAfterMs;
  watch.heard([update]);
  assert.equal(watch.reliableSince(), clock.ms - staleAfterMs);
  clock.ms += 1;
  assert.equal(watch.reliableSince(), -Infinity);
});

const isStaleOnSaturday = (source: Partial<Source>, ...tickers: readonly string[]): boolean => {
  const { watch, clock } = studio(source);
  watch.heard(tickers.map((ticker) => ({ ...update, ticker: ticker as Ticker })));
  clock.ms += 24 * 60 * minuteMs;
  return watch.state().isStale;
};

test('a source is idle only while one of its markets is open: those configured, else those heard, else all', () => {
  assert.equal(isStaleOnSaturday({}), true);
  assert.equal(isStaleOnSaturday({}, 'GGAL'), false);
  assert.equal(isStaleOnSaturday({}, 'NADA'), true, 'a ticker that is not served names no market');
  assert.equal(isStaleOnSaturday({}, 'GGAL', 'BTC'), true);
  assert.equal(isStaleOnSaturday({ markets: new Set(['BYMA']) }, 'BTC'), false);
});

test('an outcome is counted by its name, a refusal by its reason, and a refused book as such', () => {
  assert.equal(labelOf('accepted'), 'accepted');
  assert.equal(labelOf('superseded'), 'superseded');
  assert.equal(labelOf({ refused: 'not-positive' }), 'not-positive');
  assert.equal(labelOf({ refused: 'not-positive', part: 'book' }), 'book-refused');
  assert.equal(labelOf({ refused: 'implausible', part: 'range' }), 'range-refused');
  assert.equal(labelOf('held'), 'held');
  assert.equal(labelOf('repeated-session'), 'repeated-session');
});

test('a stale source has its open markets, those beyond its configuration included, and the instant of its last price', () => {
  const { watch, clock } = studio({ markets: new Set(['BYMA', 'NYSE']) });
  const at = clock.ms;
  watch.heard([{ ...update, at, ticker: 'BTC' as Ticker }]);
  watch.heard([]);
  assert.deepEqual(watch.stale(), []);
  clock.ms += staleAfterMs + 1;
  const markets = ['BYMA', 'NYSE', 'CRIPTO'];
  assert.deepEqual(watch.stale(), [{ name: 'desk', markets, lastPriceAt: at }]);
  clock.ms = Date.parse('2026-11-20T17:30:00-03:00');
  assert.deepEqual(watch.stale()[0]?.markets, ['NYSE', 'CRIPTO'], 'BYMA is closed');
  clock.ms = Date.parse('2026-11-21T12:00:00-03:00');
  assert.deepEqual(watch.stale(), [], 'its own markets are closed');
  const { watch: without, clock: later } = studio();
  later.ms += staleAfterMs + 1;
  assert.deepEqual(without.stale(), [{ name: 'desk', markets, lastPriceAt: undefined }]);
  without.phase = 'ended';
  assert.deepEqual(without.stale(), []);
});

test('a reload does not make a stale source look alive, and its markets and last price are those of its quotes', () => {
  const tallies = new FeedTallies();
  const { watch: before, clock } = studio({}, tallies);
  before.heard([{ ...update, at: clock.ms }]);
  const { watch, clock: later } = studio({}, tallies);
  later.ms += staleAfterMs + 1;
  assert.equal(watch.state().isStale, true);
  watch.recall(universe.get('GGAL' as Ticker), clock.ms);
  assert.deepEqual(watch.stale(), [{ name: 'desk', markets: ['BYMA'], lastPriceAt: clock.ms }]);
  assert.equal(watch.state().lagMs, undefined, 'an old price is no new lag');
});

test('the stale sources of a followed service are those of open markets that the feed gives prices of, until it is stale itself', () => {
  const { watch, clock } = studio();
  watch.heard([update]);
  const stale = { name: 'byma', markets: ['BYMA', 'CRIPTO', 'NADA'], lastPriceAt: 7 };
  watch.followed([stale, { name: 'binance', markets: ['CRIPTO'] }]);
  const shown = [{ ...stale, via: 'desk', markets: ['BYMA'] }];
  assert.deepEqual(watch.stale(), shown);
  watch.followed(undefined);
  assert.deepEqual(watch.stale(), shown, 'a batch without a list changes nothing');
  clock.ms += staleAfterMs + 1;
  assert.deepEqual(
    watch.stale().map(({ name, via }) => [name, via]),
    [['desk', undefined]],
  );
  watch.heard([]);
  assert.deepEqual(watch.stale(), shown);
  clock.ms = Date.parse('2026-11-20T17:30:00-03:00');
  watch.heard([]);
  assert.deepEqual(watch.stale(), [], 'BYMA is closed');
  clock.ms = Date.parse('2026-11-23T12:00:00-03:00');
  watch.followed([]);
  watch.heard([]);
  assert.deepEqual(watch.stale(), []);
});
