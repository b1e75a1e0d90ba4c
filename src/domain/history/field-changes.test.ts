import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay } from '../calendar/plain-date.ts';
import type { ChangeOrigin, StoreChange, Version } from '../changes/version.ts';
import type { Ticker } from '../instruments/ticker.ts';
import type { CorporateAction } from './corporate-action.ts';
import type { DailyClose } from './daily-close.ts';
import {
  actionChanges,
  closeChanges,
  dayChanges,
  newestFirst,
  type FieldChange,
} from './field-changes.ts';

function by(at: number, origin: ChangeOrigin = 'import'): StoreChange {
  return { at, origin };
}

function version<T>(value: T, stored: StoreChange, replaced?: StoreChange): Version<T> {
  return replaced === undefined ? { value, stored } : { value, stored, replaced };
}

const day = 20_000 as EpochDay;
const close: DailyClose = { day, close: 1, volume: 5, source: 'one' };

test('a first close is no change, and an equal field of a correction is none', () => {
  assert.deepEqual(closeChanges([version(close, by(1))]), []);
  const fetched = by(2, 'fetch');
  assert.deepEqual(
    closeChanges([
      version(close, by(1), fetched),
      version({ ...close, close: 2, low: 0.5, volume: null }, fetched),
    ]),
    [
      { by: fetched, day, source: 'one', field: 'close', before: 1, after: 2 },
      { by: fetched, day, source: 'one', field: 'low', before: null, after: 0.5 },
      { by: fetched, day, source: 'one', field: 'volume', before: 5, after: null },
    ],
  );
});

test('a change of the source has a row, with the new source', () => {
  const other = { ...close, source: 'two' };
  const changes = closeChanges([version(close, by(1), by(2)), version(other, by(2))]);
  assert.deepEqual(changes, [
    { by: by(2), day, source: 'two', field: 'source', before: 'one', after: 'two' },
  ]);
  const unknown: DailyClose = { day, close: 1, volume: 5 };
  const [change] = closeChanges([version(close, by(1), by(2)), version(unknown, by(2))]);
  assert.deepEqual([change?.before, change?.after, change?.source], ['one', null, undefined]);
});

test('a removal and a value after it are two changes, and each day has changes of its own', () => {
  const earlier = { ...close, day: (day - 1) as EpochDay };
  const changes = dayChanges(
    [
      version(earlier, by(1), by(2, 'remove')),
      version(close, by(1), by(2, 'remove')),
      version({ ...close, close: 2 }, by(5)),
    ],
    ['close'],
  );
  assert.deepEqual(
    changes.map(({ by: { at, origin }, day: of, before, after }) => [
      of - day,
      at,
      origin,
      before,
      after,
    ]),
    [
      [-1, 2, 'remove', 1, null],
      [0, 2, 'remove', 1, null],
      [0, 5, 'import', null, 2],
    ],
  );
});

const on = { ticker: 'YPFD' as Ticker, exDay: day, source: 'one' };
const split: CorporateAction = { ...on, type: 'split', factor: 10 };

test('an action that is replaced, removed and added again has a change for each of these', () => {
  const changes = actionChanges([
    version<CorporateAction>(split, by(1), by(2)),
    version<CorporateAction>({ ...split, factor: 3 }, by(2), by(3, 'remove')),
    version<CorporateAction>(split, by(4)),
  ]);
  assert.deepEqual(
    newestFirst(changes).map((change) => [change.by.at, change.before, change.after]),
    [
      [4, null, 10],
      [3, 3, null],
      [2, 10, 3],
      [1, null, 10],
    ],
  );
});

test('each type of action is one value, and a change of the source alone is no change', () => {
  const dividend = { ...on, type: 'cash-dividend', amount: 12.5, currency: 'ARS' } as const;
  const others: readonly CorporateAction[] = [
    { ...on, type: 'stock-dividend', factor: 1.09 },
    { ...on, type: 'ratio-change', factor: 2 },
    { ...on, type: 'ticker-change', newTicker: 'YPF' as Ticker },
  ];
  const changes = actionChanges([
    version<CorporateAction>(dividend, by(1, 'unknown'), by(2)),
    version<CorporateAction>({ ...dividend, currency: 'USD' }, by(2)),
    version<CorporateAction>(split, by(1, 'unknown'), by(3)),
    version<CorporateAction>({ ...split, source: 'two' }, by(3)),
    ...others.map((action) => version(action, by(4))),
  ]);
  const rows = newestFirst(changes).map(({ by: { at }, field, before, after }) => {
    return [at, field, before, after];
  });
  assert.deepEqual(rows, [
    [4, 'stock-dividend', null, 1.09],
    [4, 'ratio-change', null, 2],
    [4, 'ticker-change', null, 'YPF'],
    [2, 'cash-dividend', '12.5 ARS', '12.5 USD'],
  ]);
});

function one(at: number, offset: number): FieldChange {
  return {
    by: by(at),
    day: (day + offset) as EpochDay,
    field: 'close',
    before: 1,
    after: 2,
    source: undefined,
  };
}

test('the latest change is the first; of one instant, the latest day is', () => {
  const given = [one(1, 5), one(2, 0), one(2, 3), one(3, 1)];
  assert.deepEqual(newestFirst(given), [one(3, 1), one(2, 3), one(2, 0), one(1, 5)]);
});
