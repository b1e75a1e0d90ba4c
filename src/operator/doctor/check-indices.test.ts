import assert from 'node:assert/strict';
import { test } from 'node:test';

import { day } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { checkIndices } from './check-indices.ts';

/** Friday 20 November 2026. It settles on Tuesday, because Monday is a holiday. */
const now = Date.parse('2026-11-20T20:00:00Z');
const universe = makeUniverse([{ ticker: 'AL30', kind: 'bond' }]);

test('an index that does not cover the next settlement, a recent gap and a recent jump are a warning', async (t) => {
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const look = () => checkIndices(universe, store, now);
  assert.equal((await look()).state, 'fine');
  const put = (from: string, to: string, valueOf: (at: EpochDay) => number) => {
    const days = Array.from({ length: day(to) - day(from) + 1 }, (_, at) => day(from) + at);
    return store.indices.put(
      days.map((one) => ({
        index: 'CER',
        day: one as EpochDay,
        value: valueOf(one as EpochDay),
        source: 'x',
      })),
      1,
    );
  };
  // A gap of more than 400 days ago is not named.
  await put('2025-01-01', '2025-01-02', () => 700);
  await put('2025-09-01', '2026-11-05', () => 700);
  await put('2026-11-07', '2026-11-08', () => 700);
  const { state, cases, says } = await look();
  assert.equal(state, 'warning');
  assert.deepEqual(cases, [
    'CER 2026-11-06 to 2026-11-06: 1 days without a value',
    'CER ends on 2026-11-08; the settlement of 2026-11-24 needs 2026-11-09',
  ]);
  assert.match(says, /^1 of 5 indices have values\./);
  await put('2026-11-06', '2026-11-06', () => 700);
  await put('2026-11-09', '2026-12-15', (at) => (at === day('2026-12-01') ? 7 : 700));
  assert.deepEqual((await look()).cases, ['CER 2026-12-01: 7 after 700']);
  await put('2026-12-01', '2026-12-01', () => 700);
  assert.deepEqual(await look(), {
    check: 'indices',
    state: 'fine',
    says: '1 of 5 indices have values. They cover the next settlement, without gaps and jumps in the last 400 days.',
  });
});
