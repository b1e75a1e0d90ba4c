import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { readCloseVersion } from './version-cells.ts';

const wrong = (problem: string) => new ImportRefusal('not-prices', problem);

const at = '2026-11-20T15:00:00.001Z';
const instant = Date.UTC(2026, 10, 20, 15, 0, 0, 1);
const day = toEpochDay('2026-11-18' as PlainDate);

test('a row is read to the last bit, with its changes', () => {
  const row = `AL30,2026-11-18,0.30000000000000004,1,2,0.5,7,import:a,${at},import,2026-11-20T15:00:00.002Z,revert`;
  assert.deepEqual(readCloseVersion(row.split(','), wrong), {
    value: {
      day,
      close: 0.1 + 0.2,
      open: 1,
      high: 2,
      low: 0.5,
      volume: 7,
      source: 'import:a',
    },
    stored: { at: instant, origin: 'import' },
    replaced: { at: instant + 1, origin: 'revert' },
  });
});

test('empty cells are absent, and an empty volume is not known', () => {
  assert.deepEqual(
    readCloseVersion(['AL30', '2026-11-18', '1', '', '', '', '', '', at, 'unknown'], wrong),
    {
      value: { day, close: 1, volume: null },
      stored: { at: instant, origin: 'unknown' },
    },
  );
});

test('half of a change is a fault', () => {
  for (const cells of [
    [at, ''],
    ['', 'import'],
    ['2026-11-20T15:00:00Z', 'import'],
    ['2026-13-20T15:00:00.000Z', 'import'],
  ]) {
    const row = ['AL30', '2026-11-18', '1', '', '', '', '', '', ...cells];
    assert.throws(() => readCloseVersion(row, wrong), ImportRefusal, cells.join());
  }
});
