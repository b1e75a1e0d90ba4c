import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { DailyClose } from '../domain/daily-close.ts';
import { toEpochDay } from '../domain/plain-date.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import type { LiveSession } from '../domain/stored-quote.ts';
import { sessionAfterHistory } from './slot.ts';

const friday = '2026-11-20' as PlainDate;
const held: LiveSession = {
  sessionDate: friday,
  asOf: 1,
  last: 100,
  open: 98,
  openAt: null,
  high: 105,
  low: 95,
  volume: 7,
  isInHistory: true,
  historyClose: 100,
};

function closeOn(date: string, fields: Omit<DailyClose, 'day'>): DailyClose {
  return { day: toEpochDay(date as PlainDate), ...fields };
}

test('without a close in history, or with one of an earlier session, a session does not change', () => {
  assert.equal(sessionAfterHistory(undefined, undefined), undefined);
  assert.equal(sessionAfterHistory(held, undefined), held);
  const earlier = closeOn('2026-11-19', { close: 1, volume: 1 });
  assert.equal(sessionAfterHistory(held, earlier), held);
});

test('a close of a later day begins its session, complete and already in history', () => {
  const later = closeOn('2026-11-24', { close: 110, volume: 9, open: 101, high: 112, low: 99 });
  assert.deepEqual(sessionAfterHistory(held, later), {
    sessionDate: '2026-11-24',
    last: 110,
    open: 101,
    high: 112,
    low: 99,
    volume: 9,
    openAt: null,
    isInHistory: true,
    historyClose: 110,
  });
});

test('the close that the engine wrote to history changes nothing when it is read back', () => {
  const own = closeOn(friday, { close: 100, volume: 1, open: 1, high: 1, low: 1 });
  assert.equal(sessionAfterHistory(held, own), held);
});

test('a corrected close replaces the fields it has, and keeps the rest of the session', () => {
  const whole = closeOn(friday, { close: 102, volume: 9, open: 97, high: 110, low: 90 });
  assert.deepEqual(sessionAfterHistory(held, whole), {
    ...held,
    last: 102,
    open: 97,
    high: 110,
    low: 90,
    volume: 9,
    historyClose: 102,
  });
  const alone = closeOn(friday, { close: 120, volume: null });
  assert.deepEqual(sessionAfterHistory({ ...held, isInHistory: false }, alone), {
    ...held,
    last: 120,
    high: 120,
    historyClose: 120,
  });
  const below = sessionAfterHistory(held, closeOn(friday, { close: 90, volume: null }));
  assert.deepEqual([below?.high, below?.low], [105, 90]);
});

test('a corrected close creates no range for a session without one', () => {
  const bare = { ...held, open: undefined, high: undefined, low: undefined, volume: null };
  const corrected = sessionAfterHistory(bare, closeOn(friday, { close: 120, volume: null }));
  assert.deepEqual(
    [corrected?.open, corrected?.high, corrected?.low, corrected?.volume],
    [undefined, undefined, undefined, null],
  );
});
