import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';
import type { CorporateAction } from './corporate-action.ts';
import type { DailyClose } from './daily-close.ts';
import { baseAgeDaysMax } from './reference-closes.ts';
import { SharedBasis } from './shared-basis.ts';

type Prices = Readonly<Record<number, number>>;

function closesOf(prices: Prices): readonly DailyClose[] {
  return Object.entries(prices).map(([day, close]) => closeOn(Number(day), close));
}

function closeOn(day: number, close: number): DailyClose {
  return { day: day as EpochDay, close, volume: null };
}

function splitOn(day: number, factor: number): CorporateAction {
  return { ticker: 'GGAL' as Ticker, exDay: day as EpochDay, type: 'split', factor, source: 'x' };
}

/** The source may replace the stored closes of the days that are given. */
function basisOf(
  stored: Prices,
  offered: Prices,
  {
    actions = [],
    replaceable = [],
  }: {
    readonly actions?: readonly CorporateAction[];
    readonly replaceable?: readonly number[];
  } = {},
): SharedBasis {
  return new SharedBasis(closesOf(stored), closesOf(offered), {
    actions,
    isReplaceable: ({ day }) => replaceable.includes(day),
  });
}

test('the basis is shared after a day of agreement, until a stored close that is no mistake differs by a factor', () => {
  for (const [name, stored, replaceable, day, isShared] of [
    ['an earlier day', { 1: 100 }, [], 2, true],
    ['the day itself', { 1: 100 }, [], 1, false],
    ['a factor since', { 1: 100, 2: 1_000 }, [], 3, false],
    ['a factor of a close that may be replaced', { 1: 100, 2: 1_000 }, [2], 3, true],
    ['another difference since', { 1: 100, 2: 107 }, [], 3, true],
    ['another difference alone', { 2: 107 }, [], 3, false],
  ] as const) {
    const basis = basisOf(stored, { 1: 101, 2: 100 }, { replaceable });
    assert.equal(basis.isSharedBefore(day as EpochDay), isShared, name);
  }
});

test('a close differs around its day if a later one differs by a usual factor or a recorded one', () => {
  const unusual = splitOn(9, 1.37);
  for (const [name, stored, offered, actions, differs] of [
    ['a usual factor', { 5: 1_000 }, { 5: 100 }, [], true],
    ['a usual factor after agreement', { 1: 100, 5: 1_000 }, { 1: 100, 5: 100 }, [], false],
    ['a recorded factor', { 5: 137 }, { 5: 100 }, [unusual], true],
    ['one that is not recorded', { 5: 137 }, { 5: 100 }, [], false],
    ['no price', { 5: 137 }, { 5: -100 }, [unusual], false],
    ['no stored close', {}, { 5: 100 }, [], false],
  ] as const) {
    const basis = basisOf(stored, offered, { actions });
    assert.equal(basis.differsAround(closeOn(3, 100)), differs, name);
  }
});

test('a close differs around its day if it is that of a neighbour divided by the factor of the actions since', () => {
  const old = 1 + baseAgeDaysMax;
  for (const [name, stored, day, close, actions, differs] of [
    ['the neighbour before', { 1: 1_000 }, 2, 100.5, [splitOn(90, 10)], true],
    ['the neighbour after', { 3: 1_000 }, 2, 100.5, [splitOn(90, 10)], true],
    ['a reverse split', { 1: 1_000 }, 2, 10_000, [splitOn(90, 0.1)], true],
    ['as traded', { 1: 1_000 }, 2, 1_005, [splitOn(90, 10)], false],
    ['within 8 %', { 1: 1_000 }, 2, 93, [splitOn(90, 10)], true],
    ['beyond 8 %', { 1: 1_000 }, 2, 92, [splitOn(90, 10)], false],
    ['a factor that usual moves hide', { 1: 1_000 }, 2, 769, [splitOn(90, 1.3)], false],
    ['an action between the two', { 1: 1_000 }, 3, 100, [splitOn(2, 10), splitOn(90, 10)], false],
    ['a neighbour of 45 days before', { 1: 1_000 }, old, 100, [splitOn(90, 10)], true],
    ['an older neighbour', { 1: 1_000 }, old + 1, 100, [splitOn(90, 10)], false],
  ] as const) {
    const basis = basisOf(stored, {}, { actions });
    assert.equal(basis.differsAround(closeOn(day, close)), differs, name);
  }
});
