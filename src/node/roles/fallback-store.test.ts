import assert from 'node:assert/strict';
import { test } from 'node:test';

import { allDays, close, day, ggal, put } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { until } from '../../../test/support/wait.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';
import { openPlace } from '../place/open-place.ts';
import { fallbackStore } from './fallback-store.ts';
import { openFollowedSite } from './followed-site.ts';
import { LocalCopy } from './local-copy.ts';
import { changeAt, testChange } from '../../../test/support/market/test-change.ts';

const splitOn = (exDay: number): CorporateAction =>
  ({ ticker: ggal, exDay, type: 'split', factor: 10, source: 'x' }) as CorporateAction;

/** The value of CER for a day to come. */
const cer = (value: number) =>
  ({ index: 'CER', day: day('2026-12-15'), value, source: 'x' }) as const;

test('without the database, a site has the closes, the actions and the indices of the copy, and later those of the database', async (t) => {
  await using source = openPlace(await temporaryDirectory(t));
  await using store = await source.open({ mode: 'create' });
  await put(store, ggal, [close('2026-11-19', 1)]);
  await store.actions.apply({ put: [splitOn(20_000)], remove: [] }, testChange);
  await store.indices.put([cer(1)], changeAt(1));
  await using place = openPlace(await temporaryDirectory(t));
  await using copy = await LocalCopy.open(place, { log: silentLog, clock: systemClock });
  await copy.update(store);

  const fallback = fallbackStore(copy);
  const universe = makeUniverse([{ ticker: ggal }]);
  const options = { universe, store: fallback, log: silentLog, intradaySessions: 0 };
  await using site = await openFollowedSite(options);
  assert.equal(site.pipeline.actions.of(ggal).length, 1);
  assert.equal(site.pipeline.indices.valueAt('CER', cer(1).day), 1);
  assert.equal((await site.pipeline.history.readSeries(ggal, allDays)).closes[0], 1);

  await put(store, ggal, [close('2026-11-19', 2)]);
  await store.actions.apply({ put: [splitOn(20_100)], remove: [] }, testChange);
  await store.indices.put([cer(2)], changeAt(2));
  fallback.connect(store);
  await until('the actions of the database', () => site.pipeline.actions.of(ggal).length === 2);
  await until(
    'the indices of the database',
    () => site.pipeline.indices.valueAt('CER', cer(1).day) === 2,
  );
  assert.equal((await site.pipeline.history.readSeries(ggal, allDays)).closes[0], 2);
});

test('after an outage in which the copy was read, all instruments count as changed: the copy may be older', async (t) => {
  await using source = openPlace(await temporaryDirectory(t));
  await using store = await source.open({ mode: 'create' });
  await put(store, ggal, [close('2026-11-19', 1)]);
  await using place = openPlace(await temporaryDirectory(t));
  await using copy = await LocalCopy.open(place, { log: silentLog, clock: systemClock });
  await copy.update(store);
  let isDown = false;
  const history = new Proxy(store.history, {
    get: (target, name: keyof Store['history']) =>
      isDown
        ? () => Promise.reject(new StoreFault('unavailable', 'down'))
        : target[name].bind(target),
  });
  const fallback = fallbackStore(copy);
  fallback.connect({ ...store, history, [Symbol.asyncDispose]: async () => undefined });
  const { revision } = await store.history.changesSince(0);
  assert.deepEqual((await fallback.history.changesSince(revision)).tickers, []);

  isDown = true;
  assert.equal((await fallback.history.readSeries(ggal, allDays)).closes.length, 1);
  await assert.rejects(fallback.history.changesSince(revision), { code: 'unavailable' });
  isDown = false;
  assert.deepEqual((await fallback.history.changesSince(revision)).tickers, [ggal]);
  assert.deepEqual((await fallback.history.changesSince(revision)).tickers, []);
});
