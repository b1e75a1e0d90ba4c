import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { StoreChange, Version } from '../changes/version.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';
import type { CorporateAction } from './corporate-action.ts';
import { actionChanges, closeChanges, newestFirst } from './field-changes.ts';

const by = (at: number, origin: StoreChange['origin'] = 'import'): StoreChange => ({ at, origin });

function version<T>(value: T, from: StoreChange, to?: StoreChange): Version<T> {
  return to === undefined ? { value, stored: from } : { value, stored: from, replaced: to };
}

const day = 20_000 as EpochDay;

function split(factor: number): CorporateAction {
  return { ticker: 'AL30' as Ticker, exDay: day, type: 'split', factor, source: 'x' };
}

test('a change of a close has a line for each field that differs, with the source of the new value', () => {
  const first = { day, close: 1, volume: 5, open: 2, source: 'a' };
  const second = { day, close: 3, volume: 5, high: 4, source: 'b' };
  const other = { day: (day + 1) as EpochDay, close: 9, volume: null };
  const changes = closeChanges([
    version(first, by(1), by(2, 'fetch')),
    version(second, by(2, 'fetch')),
    version(other, by(1)),
  ]);
  assert.deepEqual(
    changes.map(({ field, before, after }) => [field, before, after]),
    [
      ['close', 1, 3],
      ['open', 2, null],
      ['high', null, 4],
      ['source', 'a', 'b'],
    ],
  );
  for (const change of changes) {
    assert.deepEqual([change.by, change.day, change.source], [by(2, 'fetch'), day, 'b']);
  }
});

test('an action that is added, replaced, removed and added again has a line for each of these', () => {
  const changes = actionChanges([
    version(split(2), by(1), by(2)),
    version(split(3), by(2), by(3, 'remove')),
    version(split(2), by(4)),
    version({ ...split(2), ticker: 'OLD' as Ticker }, by(1, 'unknown')),
  ]);
  assert.deepEqual(
    newestFirst(changes).map((one) => [one.by.at, one.ticker, one.field, one.before, one.after]),
    [
      [4, 'AL30', 'split', null, 2],
      [3, 'AL30', 'split', 3, null],
      [2, 'AL30', 'split', 2, 3],
      [1, 'AL30', 'split', null, 2],
    ],
  );
});

test('the latest change comes first, and of one instant the latest day', () => {
  const changes = [1, 2].flatMap((at) =>
    [0, 1].map((later) => ({
      by: by(at),
      day: (day + later) as EpochDay,
      field: 'close' as const,
      before: 1,
      after: 2,
      source: undefined,
    })),
  );
  assert.deepEqual(
    newestFirst(changes).map((one) => [one.by.at, one.day - day]),
    [
      [2, 1],
      [2, 0],
      [1, 1],
      [1, 0],
    ],
  );
});
