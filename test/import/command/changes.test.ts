import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import { valuesAt } from '../../../src/domain/changes/version.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { changesHeader } from '../../../src/import/changes/version-cells.ts';
import type { ChangeStamp } from '../../../src/store/contract/history-store.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { al30, allDays, close, ggal } from '../../store/close-samples.ts';
import { publishedVersions } from '../../store/published-versions.ts';
import { temporaryDirectory } from '../../support/program/program.ts';
import { openTestStore } from '../../support/program/test-store.ts';
import { exportOf, refusesWith, universe } from '../support/export-text.ts';
import { ImportRig } from '../support/import-into.ts';
import { fieldsIn } from '../../support/fields-in.ts';

function stampAt(at: number, origin: ChangeStamp['origin']): ChangeStamp {
  return { origin, now: () => at };
}

function putAt(store: Store, at: number, ...[ticker, closes]: [Ticker, readonly DailyClose[]]) {
  const origin = at % 2 === 0 ? 'import' : 'fetch';
  return store.history.transaction(
    (transaction) => transaction.put(ticker, closes),
    stampAt(at, origin),
  );
}

const start = Date.UTC(2026, 10, 20, 15);

test('an export with changes has a row for each close that is or was stored', async () => {
  await using directory = await temporaryDirectory();
  {
    await using store = await openTestStore(directory.path);
    const first = { ...close('2026-11-18', 1.5, 7), source: 'import:a, b.csv' };
    await putAt(store, start, al30, [first, close('2026-11-19', 2)]);
    await putAt(store, start + 1, al30, [{ ...close('2026-11-18', 3), open: 2, source: 'byma' }]);
  }
  const { text, summary } = await exportOf(directory.path, ['AL30']);
  assert.equal(
    text,
    `${changesHeader.join(',')}\r\n` +
      'AL30,2026-11-18,1.5,,,,7,"import:a, b.csv",2026-11-20T15:00:00.000Z,import,2026-11-20T15:00:00.001Z,fetch\r\n' +
      'AL30,2026-11-18,3,2,,,,byma,2026-11-20T15:00:00.001Z,fetch,,\r\n' +
      'AL30,2026-11-19,2,,,,,,2026-11-20T15:00:00.000Z,import,,\r\n',
  );
  assert.deepEqual(summary, { instruments: 1, rows: 2, replaced: 1, strangers: [] });
});

test('import restores an export with changes: the closes, and what was known at each instant', async () => {
  await fc.assert(
    fc.asyncProperty(publishedVersions, async (published) => {
      await using directory = await temporaryDirectory();
      {
        await using store = await openTestStore(directory.path);
        for (const { at, closes } of published) await putAt(store, at, al30, closes);
        await putAt(store, 7, ggal, [close('2026-11-18', 1)]);
      }
      const { text } = await exportOf(directory.path);
      await using store = await openTestStore(directory.path);
      await using rig = await ImportRig.open();
      const stdin = Buffer.from(text);
      for (const outcome of ['added', 'same'] as const) {
        const { summary } = await rig.import(['-'], { universe, stdin });
        assert.equal(summary.totals[outcome], text.trim().split('\r\n').length - 1);
        assert.equal(summary.totals.read, summary.totals[outcome]);
        for (const ticker of [al30, ggal]) {
          const kept = await store.memory.readCloses(ticker, allDays);
          assert.deepEqual(await rig.store.memory.readCloses(ticker, allDays), kept);
          assert.deepEqual(
            await rig.store.history.readCloses(ticker, allDays),
            valuesAt(kept, Infinity, ({ day }) => day),
          );
        }
      }
    }),
    { numRuns: 6 },
  );
});

const row = (cells: string): string => `${changesHeader.join(',')}\n${cells}\n`;
const at = '2026-11-20T15:00:00.000Z';

for (const [what, text, message] of [
  [
    'a date that does not exist',
    row(`AL30,2026-02-30,1,,,,,,${at},import,,`),
    /line 2: "2026-02-30" is not a date/,
  ],
  ['no close', row(`AL30,2026-11-18,,,,,,,${at},import,,`), /line 2: the close is missing/],
  ['no number', row(`AL30,2026-11-18,1,x,,,,,${at},import,,`), /line 2: "x" is not a number/],
  ['no instant', row('AL30,2026-11-18,1,,,,,,,,,'), /line 2: stored_at is missing/],
  [
    'another instant',
    row('AL30,2026-11-18,1,,,,,,2026-11-20,import,,'),
    /"2026-11-20" is not an instant/,
  ],
  [
    'another origin',
    row(`AL30,2026-11-18,1,,,,,,${at},me,,`),
    /"me" is not the origin of a change/,
  ],
  ['a wrong source', row(`AL30,2026-11-18,1,,,,,=1,${at},import,,`), /"=1" is not a source/],
  [
    'two stored closes of one day',
    row(`AL30,2026-11-18,1,,,,,,${at},import,,\nAL30,2026-11-18,2,,,,,,${at},import,,`),
    /line 3: of the rows of one day, all but the last one have replaced_at/,
  ],
  [
    'a day without a stored close',
    row(`AL30,2026-11-18,1,,,,,,${at},import,${at},fetch`),
    /the last row of AL30 has replaced_at/,
  ],
  [
    'days in another order',
    row(`AL30,2026-11-18,1,,,,,,${at},import,,\nAL30,2026-11-17,2,,,,,,${at},import,,`),
    /line 3: the days are not in order/,
  ],
  [
    'an instrument in two places',
    row(
      `AL30,2026-11-18,1,,,,,,${at},import,,\nGGAL,2026-11-18,2,,,,,,${at},import,,\nAL30,2026-11-19,2,,,,,,${at},import,,`,
    ),
    /line 4: the rows of AL30 are not together/,
  ],
] as const) {
  test(`an export with changes that has ${what} is refused, and nothing of it is stored`, async () => {
    await refusesWith(text, message);
  });
}

test('an export with changes is refused if the store has other closes, and its strangers are rejected', async () => {
  await using rig = await ImportRig.open();
  const file = `NOT KNOWN,2026-11-18,1,,,,,,${at},import,,\nAL30,2026-11-18,1,,,,,,${at},import,,`;
  const stdin = Buffer.from(row(file));
  const { summary, rejects } = await rig.import(['-'], { universe, stdin });
  assert.deepEqual([summary.totals.added, summary.totals.rejected], [1, 1]);
  assert.deepEqual(fieldsIn(rejects, 'line', 'reason', 'instrument'), [
    '2 unknown-ticker NOT KNOWN',
  ]);
  await putAt(rig.store, start, al30, [close('2026-11-19', 2)]);
  const before = await rig.store.memory.readCloses(al30, allDays);
  const again = await rig.import(['-'], { universe, stdin });
  const [refused] = again.summary.files;
  assert.match(
    refused?.outcome === 'refused' ? `${refused.code}: ${refused.reason}` : '',
    /^not-empty: the store has other closes of AL30/,
  );
  assert.deepEqual(await rig.store.memory.readCloses(al30, allDays), before);
});
