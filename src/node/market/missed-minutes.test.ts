import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clockAt } from '../../../test/support/market/clock-at.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { MissedMinutes } from './demonstration.ts';

const noon = Date.parse('2026-11-22T12:00:00-03:00');

function watch(catchUp: () => Promise<void>) {
  const time = { now: noon };
  const passed: number[] = [];
  const stopping = new AbortController();
  const updates = new MissedMinutes({
    next: {
      submit: async (batch) => {
        passed.push(time.now);
        return batch.map(() => 'accepted');
      },
    },
    clock: clockAt(() => time.now),
    completeTo: noon,
    catchUp,
    stopping: stopping.signal,
  });
  const submitAt = (now: number) => {
    time.now = now;
    return updates.submit([{ ticker: 'GGAL' as Ticker, at: now, last: 1 }]);
  };
  return { submitAt, passed, stopping };
}

test('updates pass while each minute has some, and the first ones after a gap bring the market up to now instead', async () => {
  let renewals = 0;
  const { submitAt, passed } = watch(async () => {
    renewals += 1;
  });
  const instants = [noon + 59_000, noon + 119_000, noon + 179_999];
  for (const instant of instants) assert.deepEqual(await submitAt(instant), ['accepted']);
  assert.deepEqual([renewals, passed], [0, instants]);
  assert.deepEqual(await submitAt(noon + 240_000), ['unchanged']);
  assert.deepEqual([renewals, passed], [1, instants]);
  assert.deepEqual(await submitAt(noon + 240_001), ['accepted']);
  // A clock that is set back misses nothing.
  assert.deepEqual(await submitAt(noon), ['accepted']);
  assert.equal(renewals, 1);
});

test('a market that stops does not wait for its renewal', async () => {
  const { submitAt, passed, stopping } = watch(() => new Promise(() => undefined));
  const waiting = submitAt(noon + 3_600_000);
  stopping.abort();
  assert.deepEqual([await waiting, passed], [['unchanged'], []]);
});
