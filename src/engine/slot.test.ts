import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closeOn } from '../../test/support/market/close-on.ts';
import { sketchMarkets } from '../../test/support/market/make-universe.ts';
import type { DailyClose } from '../domain/history/daily-close.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../domain/calendar/session-calendar.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import type { SetAsideBase } from '../domain/quotes/set-aside-base.ts';
import { lastClose, referencesAfter, sessionAfterHistory, sessionWithinHours } from './slot.ts';

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

test('without a close in history, or with one of an earlier session, a session does not change', () => {
  assert.equal(sessionAfterHistory(undefined, undefined), undefined);
  assert.equal(sessionAfterHistory(held, undefined), held);
  const earlier = dailyClose('2026-11-19', { close: 1, volume: 1 });
  assert.equal(sessionAfterHistory(held, earlier), held);
});

test('a close of a later day begins its session, complete and already in history', () => {
  const later = dailyClose('2026-11-24', { close: 110, volume: 9, open: 101, high: 112, low: 99 });
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

test('the close of an ended session is the next previous close, and a base only when a month or a year begins', () => {
  const ended = closeOn(friday, 100);
  const after = (next: string) =>
    referencesAfter(held, { previous, monthBase, yearBase }, next as PlainDate);
  assert.deepEqual(after('2026-11-30'), { previous: ended, monthBase, yearBase });
  assert.deepEqual(after('2026-12-01'), { previous: ended, monthBase: ended, yearBase });
  assert.deepEqual(after('2027-01-04'), { previous: ended, monthBase: ended, yearBase: ended });
});

test('references without a base of the month or the year have no field for it', () => {
  const next = '2026-11-24' as PlainDate;
  assert.deepEqual(referencesAfter(held, { previous }, next), { previous: closeOn(friday, 100) });
});

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

test('a price is judged by the close of the session before it, and by none without one', () => {
  assert.deepEqual(closeBefore({}), previous);
  assert.deepEqual(closeBefore({}, tuesday), closeOn(friday, 100));
  assert.equal(closeBefore({ references: {} }), undefined);
  assert.equal(closeBefore({ session: undefined }), undefined);
});

test('a price is not judged by a close that is set aside or confirmed, nor by an earlier one, and by later ones', () => {
  for (const isConfirmed of [false, true]) {
    const setAside = { ...mark, isConfirmed };
    assert.equal(closeBefore({ setAside }), undefined);
    const earlier = { previous: closeOn('2026-11-18', 91) };
    assert.equal(closeBefore({ setAside, references: earlier }), undefined);
    assert.deepEqual(closeBefore({ setAside }, tuesday), closeOn(friday, 100));
  }
});

test('a stored session without an instant stays as it is', () => {
  const market = sketchMarkets.get('BYMA') ?? assert.fail('no market');
  const { asOf: _, ...closeOnly } = held;
  assert.equal(sessionWithinHours(closeOnly, new SessionCalendar(market), 0), closeOnly);
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
