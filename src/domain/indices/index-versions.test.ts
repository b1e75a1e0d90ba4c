import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay } from '../calendar/plain-date.ts';
import { indexVersions } from './index-versions.ts';
import type { StoredIndexValue } from './index-value.ts';

const day = 20_000 as EpochDay;
const value = { index: 'CER', day, value: 1, source: 'bcra' } as const;

test('the versions of one index are ascending by day, and the stored value comes after those that it replaced', () => {
  const next = { ...value, day: (day + 1) as EpochDay };
  const values: readonly StoredIndexValue[] = [
    { ...next, storedAt: 1, storedBy: 'unknown' },
    { ...value, value: 3, storedAt: 7, storedBy: 'import' },
    { ...value, index: 'UVA', storedAt: 1, storedBy: 'import' },
  ];
  const replaced = [
    { ...value, storedAt: 1, storedBy: 'unknown', replacedAt: 5, replacedBy: 'fetch' },
    { ...value, value: 2, storedAt: 5, storedBy: 'fetch', replacedAt: 7, replacedBy: 'import' },
    {
      ...value,
      index: 'UVA',
      storedAt: 1,
      storedBy: 'import',
      replacedAt: 2,
      replacedBy: 'import',
    },
  ] as const;
  const [fetched, unknown] = [
    { at: 5, origin: 'fetch' },
    { at: 1, origin: 'unknown' },
  ] as const;
  assert.deepEqual(indexVersions('CER', { values, replaced }), [
    { value, stored: unknown, replaced: fetched },
    { value: { ...value, value: 2 }, stored: fetched, replaced: { at: 7, origin: 'import' } },
    { value: { ...value, value: 3 }, stored: { at: 7, origin: 'import' } },
    { value: next, stored: unknown },
  ]);
  assert.deepEqual(indexVersions('TAMAR', { values, replaced }), []);
});
