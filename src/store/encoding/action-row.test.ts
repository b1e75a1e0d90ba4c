import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { UnitAction } from '../../domain/history/corporate-action.ts';
import type { ActionVersion } from '../../domain/history/versions.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import {
  actionVersions,
  fromActionRow,
  rowsOfActionVersions,
  type ActionRow,
} from './action-row.ts';

test('a row without what its type has is damage of the file', () => {
  const rows: readonly ActionRow[] = [
    ['AL30', 1, 'split', null, null, null, null, 'x'],
    ['AL30', 1, 'cash-dividend', null, 1, null, null, 'x'],
    ['AL30', 1, 'cash-dividend', null, null, 'USD', null, 'x'],
  ];
  for (const row of rows) {
    assert.throws(() => fromActionRow('a.db', row), {
      code: 'corrupt',
      message: new RegExp(`a\\.db .*corporate action AL30 1 ${row[2]} is incomplete`),
    });
  }
});

function split(ticker: string, exDay: number, factor: number): UnitAction {
  return {
    ticker: ticker as Ticker,
    exDay: exDay as EpochDay,
    type: 'split',
    factor,
    source: 'x',
  };
}

test('versions become rows and come back in the order of ticker, ex date, type and change', () => {
  const [one, two, three] = [
    { at: 1, origin: 'import' },
    { at: 2, origin: 'fetch' },
    { at: 3, origin: 'remove' },
  ] as const;
  const versions: readonly ActionVersion[] = [
    { value: split('AL30', 9, 2), stored: one, replaced: two },
    { value: split('AL30', 9, 3), stored: two },
    { value: split('GGAL', 5, 2), stored: one },
    { value: split('GGAL', 8, 2), stored: one, replaced: three },
    { value: { ...split('GGAL', 8, 2), type: 'stock-dividend' }, stored: one },
    { value: split('ÑANDÚ', 1, 2), stored: two },
  ];
  const { stored, replaced } = rowsOfActionVersions(versions);
  assert.deepEqual([stored.length, replaced.length], [4, 2]);
  assert.deepEqual(replaced[0]?.slice(-4), [1, 'import', 2, 'fetch']);
  const shuffled = { stored: stored.toReversed(), replaced };
  assert.deepEqual(actionVersions('a.db', shuffled), versions);
});
