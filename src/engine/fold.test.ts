import assert from 'node:assert/strict';
import { test } from 'node:test';

import { instrumentKinds, type KindRules } from '../domain/instruments/instrument.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Update } from '../domain/quotes/update.ts';
import { beginSession, foldClose, foldUpdate } from './fold.ts';
import { sessionAfterHistory } from './slot.ts';

const sessionDate = '2026-11-20' as PlainDate;
const share: KindRules = instrumentKinds.share;
const index: KindRules = instrumentKinds.index;

/** An update a number of seconds after noon. */
function at(second: number, fields: Omit<Update, 'ticker' | 'at'>): Update {
  return { ticker: 'GGAL' as Ticker, at: 1_795_000_000_000 + second * 1_000, ...fields };
}

function begin(fields: Omit<Update, 'ticker' | 'at'>, rules = share): LiveSession {
  return beginSession(sessionDate, at(0, fields), rules) ?? assert.fail('no session');
}

/** A session that began with an imported close, without an instant. */
function adopted(fields: { open?: number; high?: number; low?: number } = {}): LiveSession {
  const close = { day: toEpochDay(sessionDate), close: 100, volume: 7, ...fields };
  return sessionAfterHistory(undefined, close) ?? assert.fail('no session');
}

test('a session adopted from a close alone opens at the first price that a source reports', () => {
  const first = foldUpdate(adopted(), at(0, { last: 105 }), share);
  assert.deepEqual([first.open, first.high, first.low], [105, 105, 100]);
  const second = foldUpdate(first, at(1, { last: 99 }), share);
  assert.deepEqual([second.open, second.high, second.low], [105, 105, 99]);
  const earlier = foldUpdate(second, at(-1, { last: 102 }), share);
  assert.equal(earlier.open, 102, 'a price from before the first one is the open');
});

test('an update without a price begins no session, and sets no open in an adopted one', () => {
  assert.equal(beginSession(sessionDate, at(0, { volume: 5 }), share), undefined);
  const session = foldUpdate(adopted(), at(0, { volume: 9 }), share);
  assert.deepEqual([session.open, session.openAt, session.volume], [undefined, null, 9]);
});

test('the reported high and low of the first update count, and always include its price', () => {
  const wide = begin({ last: 100, open: 98, high: 120, low: 90 });
  assert.deepEqual([wide.open, wide.high, wide.low], [98, 120, 90]);
  const narrow = begin({ last: 100, high: 99, low: 101 });
  assert.deepEqual([narrow.high, narrow.low], [100, 100]);
});

test('contract 2.1.6: the volume of an instrument without one is null, whatever its source reports', () => {
  const session = begin({ last: 100, volume: 5 }, index);
  assert.equal(session.volume, null);
  assert.equal(foldUpdate(session, at(1, { volume: 9 }), index).volume, null);
});

test("the source's previous close is stored when reported, and kept until it reports another", () => {
  assert.ok(!('sourcePreviousClose' in begin({ last: 100 })));
  const session = begin({ last: 100, previousClose: 90 });
  assert.equal(session.sourcePreviousClose, 90);
  assert.equal(foldUpdate(session, at(1, { last: 101 }), share).sourcePreviousClose, 90);
});

test('a change of any one field makes a new session that is not in history yet', () => {
  const session: LiveSession = {
    ...begin({ last: 100, open: 100, high: 110, low: 90, volume: 5, previousClose: 95 }),
    isInHistory: true,
    historyClose: 100,
  };
  const instant = at(0, {}).at;
  for (const fields of [
    { last: 101 },
    { open: 99 },
    { high: 111 },
    { low: 89 },
    { volume: 6 },
    { previousClose: 96 },
  ]) {
    const folded = foldUpdate(session, { ticker: 'GGAL' as Ticker, at: instant, ...fields }, share);
    assert.notEqual(folded, session, JSON.stringify(fields));
    assert.equal(folded.isInHistory, false, JSON.stringify(fields));
  }
  assert.notEqual(foldUpdate(session, at(1, { last: 100 }), share), session, 'a later instant');
  assert.equal(foldUpdate(session, at(1, { bid: 99, trades: 7 }), share), session, 'a book alone');
  const same = at(0, { last: 100, open: 100, high: 110, low: 90, volume: 5, previousClose: 95 });
  assert.equal(foldUpdate(session, same, share), session);
});

test('the open is the earliest price, also when a later price is the same or has the same instant', () => {
  const begun = foldUpdate(begin({ last: 100 }), at(1, { last: 101 }), share);
  assert.equal(foldUpdate(begun, at(0, { last: 97 }), share).open, 100, 'the first of an instant');
  const earlier = foldUpdate(begun, at(-2, { last: 100 }), share);
  assert.equal(foldUpdate(earlier, at(-1, { last: 97 }), share).open, 100);
});

test('of two closes of the same instant the second one is adopted', () => {
  const instant = at(0, {}).at;
  const first = foldClose(begin({ last: 100 }), { close: 101, at: instant });
  assert.equal(foldClose(first, { close: 102, at: instant }).last, 102);
  assert.equal(foldClose(first, { close: 102, at: instant - 1 }), first);
  assert.equal(foldClose(first, { close: 101, at: instant + 1 }), first);
});

test('a session that begins with a close alone has no open, range or volume, until a source reports them', () => {
  const session = begin({ close: 100 });
  const { open, openAt, high, low, volume, last } = session;
  assert.deepEqual(
    [open, openAt, high, low, volume, last],
    [undefined, null, undefined, undefined, null, 100],
  );
});

test('the first close of a session is official, also when it equals the last price', () => {
  const instant = at(0, {}).at;
  const closed = foldClose(begin({ last: 100 }), { close: 100, at: instant });
  assert.equal(closed.officialCloseAt, instant);
  assert.equal(foldUpdate(closed, at(1, { last: 104 }), share).last, 100);
});

test('a late update without a price sets no range', () => {
  const session = { ...adopted(), asOf: at(5, {}).at };
  assert.equal(foldUpdate(session, at(0, { volume: 9 }), share), session);
});
