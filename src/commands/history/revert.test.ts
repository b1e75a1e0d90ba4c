import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import type { ChangeOrigin } from '../../domain/changes/version.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Store } from '../../store/contract/store.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { al30, allDays, close, day } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { listChanges } from './log.ts';
import { revertChange } from './revert.ts';

const date = '2026-05-04' as PlainDate;
const noon = Date.UTC(2026, 4, 5, 15);

async function inStore<T>(directory: string, work: (store: Store) => Promise<T>): Promise<T> {
  await using place = openPlace(directory);
  await using store = await place.open({ mode: 'create' });
  return await work(store);
}

const changesIn = (directory: string, subject: Parameters<typeof listChanges>[1], of?: PlainDate) =>
  inStore(directory, (store) => listChanges(store, subject, of));

const revertIn = (directory: string, request: Parameters<typeof revertChange>[1]) =>
  inStore(directory, (store) => revertChange(store, request));

function putAt(store: Store, at: number, one: DailyClose, origin: ChangeOrigin): Promise<void> {
  return store.history.transaction((transaction) => transaction.put(al30, [one]), {
    origin,
    now: () => at,
  });
}

/** A close that was imported, then fetched twice. */
async function corrected(t: TestContext): Promise<string> {
  const directory = await temporaryDirectory(t);
  await inStore(directory, async (store) => {
    await putAt(store, noon, { ...close(date, 1, 5), open: 2, source: 'import:a.csv' }, 'import');
    await putAt(store, noon + 1, { ...close(date, 3), source: 'byma' }, 'fetch');
    await putAt(store, noon + 2, { ...close(date, 4), source: 'byma' }, 'fetch');
    await putAt(store, noon, close('2026-05-05', 9), 'import');
  });
  return directory;
}

test('the log lists the changes of an instrument, the latest first, and of a day its first value too', async (t) => {
  const storeAt = await corrected(t);
  const linesOf = async (of?: PlainDate) =>
    (await changesIn(storeAt, { ticker: ' al30 ' }, of)).map((one) => [
      one.by.at - noon,
      one.day === day(date),
      one.field,
      one.before,
      one.after,
      one.by.origin,
    ]);
  const replaced = [
    [2, true, 'close', 3, 4, 'fetch'],
    [1, true, 'close', 1, 3, 'fetch'],
    [1, true, 'open', 2, null, 'fetch'],
    [1, true, 'volume', 5, null, 'fetch'],
    [1, true, 'source', 'import:a.csv', 'byma', 'fetch'],
  ];
  assert.deepEqual(await linesOf(), replaced);
  assert.deepEqual(await linesOf(date), [...replaced, [0, true, 'close', null, 1, 'import']]);
  assert.deepEqual(await linesOf('2026-05-05' as PlainDate), [
    [0, false, 'close', null, 9, 'import'],
  ]);
  await assert.rejects(changesIn(storeAt, { ticker: 'NO' }), {
    name: 'UsageFault',
    message: /neither closes, corporate actions nor terms of NO/,
  });
});

test('the close that was replaced last is put back whole, confirmed, as a change of its own', async (t) => {
  const storeAt = await corrected(t);
  const reverted = await revertIn(storeAt, { subject: { ticker: 'AL30' }, day: date });
  const after = { ...close(date, 3), source: 'confirmed:byma' };
  assert.deepEqual(reverted, {
    kind: 'close',
    subject: 'AL30',
    before: { ...close(date, 4), source: 'byma' },
    after,
  });
  await inStore(storeAt, async (store) => {
    const versions = (await store.memory.readCloses(al30, allDays)).filter(
      ({ value }) => value.day === day(date),
    );
    assert.deepEqual(
      versions.map(({ value, replaced }) => [value.close, replaced?.origin]),
      [
        [1, 'fetch'],
        [3, 'fetch'],
        [4, 'revert'],
        [3, undefined],
      ],
    );
    assert.deepEqual(versions.at(-1)?.value, after);
    assert.equal(versions.at(-1)?.stored.origin, 'revert');
  });
});

test('what was known at an instant is put back, and nothing else', async (t) => {
  const storeAt = await corrected(t);
  const subject = { ticker: 'AL30' };
  const { after } = await revertIn(storeAt, { subject, day: date, to: noon });
  assert.deepEqual(after, { ...close(date, 1, 5), open: 2, source: 'confirmed:import:a.csv' });
  await assert.rejects(revertIn(storeAt, { subject, day: date, to: noon - 1 }), {
    name: 'UsageFault',
    message: /Nothing is known of the close of AL30 of 2026-05-04 at 2026-05-05T14:59:59\.999Z/,
  });
  const other = '2026-05-05' as PlainDate;
  await assert.rejects(revertIn(storeAt, { subject, day: other }), {
    name: 'UsageFault',
    message: /The close of AL30 of 2026-05-05 has replaced nothing/,
  });
  await assert.rejects(revertIn(storeAt, { subject, day: other, to: noon }), {
    message: /is the one that was to be put back/,
  });
});

test('an action that was removed is put back, and an index value that was replaced', async (t) => {
  const storeAt = await temporaryDirectory(t);
  const split: CorporateAction = {
    ticker: al30,
    exDay: day(date),
    type: 'split',
    factor: 2,
    source: 'x',
  };
  const cer = { index: 'CER', day: day(date), source: 'bcra' } as const;
  await inStore(storeAt, async (store) => {
    await store.actions.apply({ put: [split] }, { at: noon, origin: 'import' });
    await store.actions.apply({ remove: [split] }, { at: noon + 1, origin: 'remove' });
    await store.indices.apply({ put: [{ ...cer, value: 7 }] }, { at: noon, origin: 'import' });
    await store.indices.apply({ put: [{ ...cer, value: 8 }] }, { at: noon + 1, origin: 'fetch' });
  });
  const action = await revertIn(storeAt, {
    subject: { ticker: 'al30', action: 'split' },
    day: date,
  });
  assert.deepEqual(action, { kind: 'action', subject: 'AL30', before: undefined, after: split });
  const index = await revertIn(storeAt, { subject: { index: 'CER' }, day: date });
  assert.deepEqual(index.after, { ...cer, value: 7 });
  const log = await changesIn(storeAt, { index: 'CER' }, date);
  assert.deepEqual(
    log.map(({ by, before, after }) => [by.origin, before, after]),
    [
      ['revert', 8, 7],
      ['fetch', 7, 8],
      ['import', null, 7],
    ],
  );
  await inStore(storeAt, async (store) => {
    assert.deepEqual((await store.actions.readAll()).values, [split]);
    const [, , kept] = await store.actions.readVersions();
    assert.equal(kept, undefined);
  });
  const changes = await changesIn(storeAt, { ticker: 'AL30' });
  assert.deepEqual(
    changes.map(({ by, field, before, after }) => [by.origin, field, before, after]),
    [
      ['revert', 'split', null, 2],
      ['remove', 'split', 2, null],
      ['import', 'split', null, 2],
    ],
  );
});

test('the log has the changes of terms, by the day in Buenos Aires, and a revert refuses them and says why', async (t) => {
  const storeAt = await temporaryDirectory(t);
  const [gd30, gd30d] = ['GD30', 'GD30D'] as [Ticker, Ticker];
  const issue = (law: string) => ({ ticker: gd30, series: [gd30d], values: { law } });
  await inStore(storeAt, async (store) => {
    await store.terms.apply({ put: [issue('AR')] }, { at: noon, origin: 'unknown' });
    const late = Date.UTC(2026, 4, 5, 2);
    await store.terms.apply({ put: [issue('NY')] }, { at: late, origin: 'universe' });
  });
  const subject = { ticker: 'gd30d' };
  const expected = [[day(date), 'law', 'AR', 'NY', 'universe']];
  for (const only of [undefined, date]) {
    assert.deepEqual(
      (await changesIn(storeAt, subject, only)).map((one) => [
        one.day,
        one.field,
        one.before,
        one.after,
        one.by.origin,
      ]),
      expected,
    );
  }
  const other = '2026-05-05' as PlainDate;
  assert.deepEqual(await changesIn(storeAt, subject, other), []);
  const text = 'the terms of GD30D have changed.*edit bonds\\.csv of the universe';
  await assert.rejects(revertIn(storeAt, { subject, day: date }), {
    name: 'UsageFault',
    message: new RegExp(text),
  });
  await assert.rejects(revertIn(storeAt, { subject, day: other }), /has replaced nothing/);
});
