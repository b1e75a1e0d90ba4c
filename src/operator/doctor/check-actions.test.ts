import assert from 'node:assert/strict';
import { test } from 'node:test';

import { close, day, put } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { checkActions } from '../actions/check-actions.ts';
import { testChange } from '../../../test/support/market/test-change.ts';

const now = Date.parse('2026-11-20T20:00:00Z');
const ypfd = 'YPFD' as Ticker;
const bond = 'AL30' as Ticker;
const universe = makeUniverse([{ ticker: ypfd }, { ticker: bond, kind: 'bond' }]);

test('a recent close that looks like an unrecorded split, or contradicts a recorded one, is a warning', async (t) => {
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const look = () => checkActions(universe, store, now);
  assert.deepEqual(await look(), {
    check: 'actions',
    state: 'fine',
    says: '0 corporate actions are recorded. No close of the last 60 days contradicts them.',
  });
  // Bonds do not split, and 60 days are looked at: the pair of September is older.
  await put(store, bond, [close('2026-11-12', 100), close('2026-11-13', 10)]);
  await put(store, ypfd, [
    close('2026-09-20', 8_000),
    close('2026-09-21', 800),
    close('2026-11-12', 500),
    close('2026-11-13', 50),
  ]);
  const doubtful = await look();
  assert.deepEqual(
    [doubtful.state, doubtful.cases],
    ['warning', ['YPFD 2026-11-13: 50 after 500 looks like a split']],
  );
  const base = { ticker: ypfd, type: 'split', source: 'x' } as const;
  const right = { ...base, exDay: day('2026-11-13'), factor: 10 };
  await store.actions.apply({ put: [right] }, testChange);
  assert.equal((await look()).state, 'fine');
  const wrong = { ...right, factor: 0.1 };
  await store.actions.apply({ put: [wrong] }, testChange);
  assert.deepEqual((await look()).cases, [
    'YPFD 2026-11-13: 50 after 500 contradicts a recorded action',
  ]);
  assert.match((await look()).says, /^1 corporate actions? (?:is|are) recorded/);
});
