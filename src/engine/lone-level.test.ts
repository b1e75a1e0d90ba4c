import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closeOn } from '../../test/support/market/close-on.ts';
import { at } from '../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import type { Witness } from '../domain/history/judge/witness.ts';
import type { InstrumentKind } from '../domain/instruments/instrument.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import { levelAfter, levelAtRestart, levelOfFirst } from './lone-level.ts';
import { makeSlots, type LoneLevel, type Slot } from './slot.ts';

/** Contract 2.6.10: first prices without support. */

const friday = '2026-11-20' as PlainDate;
const noon = at(friday, '12:00');

function live(last: number): LiveSession {
  const volumes = { volume: null, openAt: null, isInHistory: false, historyClose: null };
  return { sessionDate: friday, asOf: noon, last, ...volumes };
}

/** An instrument in the session of Friday, with a close of 1,000 before it. */
function slotOf(kind: InstrumentKind, closedOn = '2026-11-19'): Slot {
  const [slot] = makeSlots(makeUniverse([{ ticker: 'X', kind }]));
  assert.ok(slot);
  slot.session = live(1_000);
  slot.references = { previous: closeOn(closedOn, 1_000) };
  return slot;
}

const report = (price: number, seconds = 0): Witness => ({
  price,
  at: noon + seconds * 1_000,
  source: 'one',
});

function hasBars(slot: Slot, price: number): boolean | undefined {
  return levelOfFirst(slot, report(price), friday)?.hasBars;
}

/** An unsupported level after these prices. */
function after(...list: readonly Witness[]): LoneLevel | undefined {
  let level: LoneLevel | undefined = { reports: [], hasBars: true };
  for (const one of list) level = level && levelAfter(level, one);
  return level;
}

test('a first price is lone exactly if the close before it is missing, too old or beyond the bound of a session', () => {
  assert.equal(hasBars(slotOf('crypto'), 4_000), undefined);
  assert.equal(hasBars(slotOf('crypto'), 4_001), false);
  assert.equal(hasBars(slotOf('crypto'), 249), false);
  assert.equal(hasBars(slotOf('crypto', '2026-10-06'), 4_001), false, '45 days before');
  assert.equal(hasBars(slotOf('crypto', '2026-10-05'), 4_001), true, '46 days before');
  assert.equal(hasBars({ ...slotOf('crypto'), references: {} }, 1_000), true);
  assert.equal(hasBars({ ...slotOf('spread'), references: {} }, 1_000), undefined);
});

test('a level is supported by what overrules a close, or by 17 different prices', () => {
  const five = [0, 30, 60, 90, 120].map((seconds, index) => report(100 + index, seconds));
  assert.equal(after(...five), undefined);
  assert.equal(after(...five.slice(0, 4))?.reports.length, 4);
  assert.equal(after(report(100), { ...report(101), source: 'two' }), undefined);
  const slow = (seconds: number): Witness => ({ ...report(100, seconds), isPolledSlowly: true });
  assert.equal(after(slow(0), slow(60), slow(120)), undefined);
  assert.equal(after(slow(0), slow(60), slow(60), slow(60))?.reports.length, 2);
  assert.equal(after(...Array.from({ length: 99 }, (_, n) => report(100, n)))?.reports.length, 1);
  const many = Array.from({ length: 17 }, (_, index) => report(100 + index / 10, 0));
  assert.equal(after(...many.slice(0, 16))?.reports.length, 16);
  assert.equal(after(...many), undefined);
});

test('a restored session is lone exactly if the close before it contradicts its price', () => {
  const lone = { reports: [], hasBars: false };
  const slot = slotOf('crypto');
  assert.deepEqual(levelAtRestart(slot, live(4_001)), lone);
  assert.equal(levelAtRestart(slot, live(4_000)), undefined);
  assert.deepEqual(levelAtRestart(slotOf('crypto', '2026-10-06'), live(4_001)), lone);
  assert.equal(levelAtRestart(slotOf('crypto', '2026-10-05'), live(4_001)), undefined);
  assert.equal(levelAtRestart({ ...slot, references: {} }, live(4_001)), undefined);
  assert.equal(levelAtRestart(slot, { ...live(4_001), asOf: undefined }), undefined, 'a close');
  const shown = { change: null, monthToDatePct: null, yearToDatePct: null };
  assert.equal(levelAtRestart(slot, { ...live(4_001), shown }), undefined, 'another service');
  const adjusted = { previous: { ...closeOn('2026-11-19', 1_000), adjusted: 2_000 } };
  assert.equal(levelAtRestart({ ...slot, references: adjusted }, live(4_001)), undefined);
  const mark = { ...closeOn('2026-11-19', 1_000), sessionDate: friday, comparable: 1_000 };
  const setAside = { ...mark, price: 4_001, at: noon, isConfirmed: true };
  assert.equal(levelAtRestart({ ...slot, setAside }, live(4_001)), undefined, 'the operator');
});
