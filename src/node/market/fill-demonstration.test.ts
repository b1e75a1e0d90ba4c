import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { demonstrated } from './demonstration.ts';
import { fillDemonstration } from './fill-demonstration.ts';

const { universe } = demonstrated({ universe: makeUniverse([{ ticker: 'GGAL' }]) });

function at(local: string): number {
  return Date.parse(`${local}-03:00`);
}

function lastDays(series: IndexSeries): readonly string[] {
  return indexNames.map((index) => fromEpochDay(series.extent(index)?.to ?? assert.fail(index)));
}

test('a demonstration has the indices as they are published, and adds what comes out while it is off', async (t) => {
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const fill = async (now: number): Promise<IndexSeries> => {
    await fillDemonstration(store, { universe, seed: 1, source: 'demo', now });
    const { revision, values } = await store.indices.readAll();
    assert.ok(values.every(({ source }) => source === 'demo'));
    return new IndexSeries(revision, values);
  };
  const first = await fill(at('2026-11-10T09:00:00'));
  const before = ['11-15', '11-15', '11-09', '11-08', '11-08', '11-15', '09-30'];
  assert.deepEqual(
    lastDays(first),
    before.map((date) => `2026-${date}`),
  );

  const again = await fill(at('2026-11-10T09:30:00'));
  assert.equal(again.version, first.version, 'nothing is stored twice');

  const later = await fill(at('2026-11-20T16:00:00'));
  const after = ['12-15', '12-15', '11-20', '11-18', '11-18', '12-15', '10-31'];
  assert.deepEqual(
    lastDays(later),
    after.map((date) => `2026-${date}`),
  );
  for (const index of indexNames) {
    const all = later.all(index);
    assert.ok(all.length > (index === 'IPC' ? 24 : 730), index);
    assert.deepEqual(all.slice(0, first.all(index).length), first.all(index), 'no value changes');
    // Every day is a business day of a demonstration.
    const steps = all.slice(1).map(({ day }, place) => day - (all[place]?.day ?? 0));
    assert.ok(
      steps.every((step) => step === 1 || index === 'IPC'),
      `${index} has a gap`,
    );
  }
  assert.deepEqual(await store.indices.readReplaced(), []);
});
