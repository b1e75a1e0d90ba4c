import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closeOn } from '../../test/support/market/close-on.ts';
import type { DailyClose } from '../domain/history/daily-close.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import type { SetAsideBase } from '../domain/quotes/set-aside-base.ts';
import { lastClose, referencesAfter, sessionAfterHistory } from './slot.ts';

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

function dailyClose(date: string, fields: Omit<DailyClose, 'day'>): DailyClose {
  return { day: toEpochDay(date as PlainDate), ...fields };
}

test('a close of a later day begins its session, complete and already in history', () => {
  const later = dailyClose('2026-11-24', { close: 110, volume: 9, open: 101, high: 112, low: 99 });
  const { day: _, close: last, ...fields } = later;
  assert.deepEqual(sessionAfterHistory(held, later), {
    ...fields,
    sessionDate: '2026-11-24',
    last,
    openAt: null,
    isInHistory: true,
    historyClose: last,
  });
});

test('the close that the engine wrote to history changes nothing when it is read back', () => {
  const own = dailyClose(friday, { close: 100, volume: 1, open: 1, high: 1, low: 1 });
  assert.equal(sessionAfterHistory(held, own), held);
});

test('a corrected close replaces the fields it has, and keeps the rest of the session', () => {
  const whole = dailyClose(friday, { close: 102, volume: 9, open: 97, high: 110, low: 90 });
  assert.deepEqual(sessionAfterHistory(held, whole), {
    ...held,
    last: 102,
    open: 97,
    high: 110,
    low: 90,
    volume: 9,
    historyClose: 102,
  });
  const alone = dailyClose(friday, { close: 120, volume: null });
  assert.deepEqual(sessionAfterHistory({ ...held, isInHistory: false }, alone), {
    ...held,
    last: 120,
    high: 120,
    historyClose: 120,
  });
  const below = sessionAfterHistory(held, dailyClose(friday, { close: 90, volume: null }));
  assert.deepEqual([below?.high, below?.low], [105, 90]);
});

test('a corrected close creates no range for a session without one', () => {
  const bare = { ...held, open: undefined, high: undefined, low: undefined, volume: null };
  const corrected = sessionAfterHistory(bare, dailyClose(friday, { close: 120, volume: null }));
  assert.deepEqual(
    [corrected?.open, corrected?.high, corrected?.low, corrected?.volume],
    [undefined, undefined, undefined, null],
  );
});

const { previous, monthBase, yearBase } = {
  previous: closeOn('2026-11-19', 90),
  monthBase: closeOn('2026-10-30', 80),
  yearBase: closeOn('2025-12-30', 70),
};

test('the close to compare with is the one that history has, and before that the last price', () => {
  const next = '2026-11-24' as PlainDate;
  const closeAfter = (fields: Partial<LiveSession>) =>
    referencesAfter({ ...held, ...fields }, {}, next).previous?.close;
  assert.equal(closeAfter({ last: 107, historyClose: 100 }), 100);
  assert.equal(closeAfter({ last: 107, historyClose: null }), 107);
  assert.equal(closeAfter({ last: 107, historyClose: 100, isInHistory: false }), 107);
});

const mark: SetAsideBase = {
  ...closeOn('2026-11-19', 90),
  sessionDate: friday,
  comparable: 90,
  price: 100,
  at: 1,
  isConfirmed: false,
};
const tuesday = '2026-11-24' as PlainDate;
const closeBefore = (state: Partial<Parameters<typeof lastClose>[0]>, on = friday) =>
  lastClose({ session: held, references: { previous }, setAside: undefined, ...state }, on);

test('a price is not judged by a close that is set aside or confirmed, nor by an earlier one, and by later ones', () => {
  for (const isConfirmed of [false, true]) {
    const setAside = { ...mark, isConfirmed };
    assert.equal(closeBefore({ setAside }), undefined);
    const earlier = { previous: closeOn('2026-11-18', 91) };
    assert.equal(closeBefore({ setAside, references: earlier }), undefined);
    assert.deepEqual(closeBefore({ setAside }, tuesday), closeOn(friday, 100));
  }
});

test('the first session of a month or a year does not become the base of the next one', () => {
  const firstDay = { ...held, sessionDate: '2026-01-01' as PlainDate };
  const bases = { monthBase, yearBase };
  assert.deepEqual(referencesAfter(firstDay, bases, '2026-01-02' as PlainDate), {
    previous: closeOn('2026-01-01', 100),
    monthBase,
    yearBase,
  });
});
