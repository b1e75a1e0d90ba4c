import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { CorporateAction } from './corporate-action.ts';
import {
  CorporateActions,
  isSameAction,
  noActions,
  priceOnBasisOf,
  priceFactor,
} from './corporate-actions.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';

const ticker = 'YPFD' as Ticker;

function split(exDay: number, by: number, of = ticker): CorporateAction {
  return { ticker: of, exDay: exDay as EpochDay, type: 'split', factor: by, source: 'x' };
}

function dividend(exDay: number, amount = 1, currency = 'ARS'): CorporateAction {
  const base = { ticker, exDay: exDay as EpochDay, source: 'x' };
  return { ...base, type: 'cash-dividend', amount, currency };
}

function renamed(exDay: number, newTicker: string): CorporateAction {
  const base = { ticker, exDay: exDay as EpochDay, source: 'x' };
  return { ...base, type: 'ticker-change', newTicker: newTicker as Ticker };
}

function factor(actions: readonly CorporateAction[], from: number, to: number): number {
  return priceFactor(actions, { from: from as EpochDay, to: to as EpochDay });
}

test('contract 2.1.4: the factor counts actions after the first day, up to and including the second', () => {
  const actions = [split(10, 10)];
  assert.equal(factor(actions, 9, 10), 10);
  assert.equal(factor(actions, 9, 11), 10);
  assert.equal(factor(actions, 10, 11), 1);
  assert.equal(factor(actions, 8, 9), 1);
  assert.equal(factor(actions, 11, 9), 1);
});

test('factors of all actions that change units multiply, and cash dividends and renames change none', () => {
  const all: readonly CorporateAction[] = [
    split(10, 10),
    dividend(11, 500),
    { ...split(12, 1.5), type: 'stock-dividend' } as CorporateAction,
    { ...split(13, 0.1), type: 'ratio-change' } as CorporateAction,
    renamed(14, 'YPF2'),
  ];
  assert.equal(factor(all, 0, 20), 1.5);
  assert.equal(factor(all, 10, 12), 1.5);
  assert.equal(factor(all, 12, 13), 0.1);
  assert.equal(factor([dividend(11), renamed(14, 'YPF2')], 0, 20), 1);
});

test('a price in units of a later day is divided by the factor, without the error of the division', () => {
  const days = { from: 9 as EpochDay, to: 10 as EpochDay };
  assert.equal(priceOnBasisOf(100.05, [split(10, 3)], days), 33.35);
  assert.equal(priceOnBasisOf(45_120, [split(10, 10)], days), 4512);
  assert.equal(priceOnBasisOf(0.45, [split(10, 0.1)], days), 4.5);
  assert.equal(priceOnBasisOf(0.1 + 0.2, [], days), 0.1 + 0.2);
  assert.equal(priceOnBasisOf(1, [split(10, 3)], days), 0.33333333333333);
});

test('adjusting and un-adjusting a price gives back the price', () => {
  const price = fc.integer({ min: 1, max: 1_000_000_000 }).map((units) => units / 10_000);
  fc.assert(
    fc.property(price, fc.constantFrom(1.09, 1.5, 2, 3, 7, 10, 20, 144), (traded, by) => {
      const days = { from: 9 as EpochDay, to: 10 as EpochDay };
      const there = priceOnBasisOf(traded, [split(10, by)], days);
      const back = priceOnBasisOf(there, [split(10, 1 / by)], days);
      assert.ok(Math.abs(back / traded - 1) < 1e-12, `${traded} ${there} ${back}`);
    }),
  );
});

test('the actions of an instrument are ascending by ex date, and others have none', () => {
  const actions = new CorporateActions([
    split(12, 2),
    split(10, 3),
    split(11, 4, 'GGAL' as Ticker),
  ]);
  assert.deepEqual(
    actions.of(ticker).map(({ exDay }) => exDay),
    [10, 12],
  );
  assert.deepEqual(actions.of('AL30' as Ticker), []);
  assert.deepEqual([...actions.tickers], [ticker, 'GGAL']);
  assert.deepEqual([...noActions.tickers], []);
});

test('two actions are the same only if they are equal in every field', () => {
  const all = [
    split(10, 2),
    split(11, 2),
    split(10, 3),
    split(10, 2, 'GGAL' as Ticker),
    { ...split(10, 2), source: 'y' },
    { ...split(10, 2), type: 'ratio-change' } as CorporateAction,
    { ...split(10, 2), type: 'stock-dividend' } as CorporateAction,
    dividend(10, 2),
    dividend(10, 3),
    dividend(10, 2, 'USD'),
    renamed(10, 'A'),
    renamed(10, 'B'),
  ];
  for (const [row, one] of all.entries()) {
    for (const [column, other] of all.entries()) {
      assert.equal(isSameAction(one, { ...other }), row === column, `${row} ${column}`);
    }
  }
});

test('an instrument has changed if an action of it was added, removed or replaced', () => {
  const [one, two] = [split(10, 2), dividend(11)];
  const other = split(10, 2, 'GGAL' as Ticker);
  const before = new CorporateActions([one, two, other]);
  const changedIn = (...after: readonly CorporateAction[]): readonly Ticker[] =>
    new CorporateActions(after).changedSince(before);
  assert.deepEqual(changedIn(one, two, other), []);
  assert.deepEqual(changedIn(two, one, { ...other }), []);
  assert.deepEqual(changedIn(one, other), [ticker]);
  assert.deepEqual(changedIn(one, two, other, dividend(12)), [ticker]);
  assert.deepEqual(changedIn(one, dividend(11, 3), other), [ticker]);
  assert.deepEqual(changedIn(one, two), ['GGAL']);
  assert.deepEqual(changedIn(), [ticker, 'GGAL']);
  assert.deepEqual(before.changedSince(noActions), [ticker, 'GGAL']);
});

/** A change of the ticker from one name to another. */
function rename(from: string, to: string, exDay: number): CorporateAction {
  return { ...renamed(exDay, to), ticker: from as Ticker };
}

function namesBefore(actions: CorporateActions, name: string) {
  return actions
    .earlierTickers(name as Ticker)
    .map(({ ticker: earlier, before }) => [earlier, before]);
}

test('an instrument has its earlier tickers, latest first, each with the day of its change', () => {
  const actions = new CorporateActions([
    rename('B', 'C', 20),
    rename('A', 'B', 10),
    rename('X', 'B', 5),
    rename('Y', 'C', 30),
  ]);
  assert.deepEqual(namesBefore(actions, 'C'), [['Y', 30]]);
  assert.deepEqual(namesBefore(actions, 'B'), [['A', 10]]);
  assert.deepEqual(namesBefore(actions, 'A'), []);
  const chain = new CorporateActions([rename('B', 'C', 20), rename('A', 'B', 10)]);
  assert.deepEqual(namesBefore(chain, 'C'), [
    ['B', 20],
    ['A', 10],
  ]);
  assert.deepEqual(chain.laterTickers('A' as Ticker), ['B', 'C']);
  assert.deepEqual(chain.laterTickers('C' as Ticker), []);
  const splits = new CorporateActions([split(5, 2, 'A' as Ticker), rename('A', 'B', 10)]);
  assert.deepEqual(splits.laterTickers('A' as Ticker), ['B']);
});

test('a name from before a later change of the same day or after it is not continued', () => {
  const actions = new CorporateActions([rename('B', 'C', 20), rename('A', 'B', 20)]);
  assert.deepEqual(namesBefore(actions, 'C'), [['B', 20]]);
  const later = new CorporateActions([rename('B', 'C', 20), rename('A', 'B', 25)]);
  assert.deepEqual(namesBefore(later, 'C'), [['B', 20]]);
});

test('a ticker that returns to an earlier name ends', () => {
  const there = new CorporateActions([rename('A', 'B', 10), rename('B', 'A', 20)]);
  assert.deepEqual(namesBefore(there, 'A'), [
    ['B', 20],
    ['A', 10],
  ]);
  assert.deepEqual(namesBefore(there, 'B'), [['A', 10]]);
  assert.deepEqual(there.laterTickers('A' as Ticker), ['B']);
});

test('the actions of an earlier ticker up to the change are those of the instrument too', () => {
  const [fb, meta] = ['FB' as Ticker, 'META' as Ticker];
  const change = rename('FB', 'META', 20);
  const own = split(25, 2, meta);
  const twice = split(10, 3, meta);
  const actions = new CorporateActions([
    split(10, 4, fb),
    split(20, 5, fb),
    split(21, 7, fb),
    change,
    own,
    twice,
  ]);
  assert.deepEqual(
    actions.of(meta).map(({ exDay, type, ticker: of }) => [exDay, type, of]),
    [
      [10, 'split', 'META'],
      [20, 'split', 'FB'],
      [20, 'ticker-change', 'FB'],
      [25, 'split', 'META'],
    ],
  );
  assert.equal(actions.of(meta), actions.of(meta), 'the same list at every call');
  assert.equal(actions.of(fb).length, 4);
  assert.deepEqual(new Set(actions.tickers), new Set([fb, meta]));
});

test('an instrument has changed if an action of its earlier ticker has', () => {
  const before = new CorporateActions([rename('FB', 'META', 20)]);
  const after = new CorporateActions([rename('FB', 'META', 20), split(10, 4, 'FB' as Ticker)]);
  assert.deepEqual(after.changedSince(before), ['FB', 'META']);
  assert.deepEqual(new Set(noActions.changedSince(before)), new Set(['FB', 'META']));
});
