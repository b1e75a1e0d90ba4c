import assert from 'node:assert/strict';
import { test } from 'node:test';

import { allDays, close, ggal, put } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { until } from '../../../test/support/wait.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';
import { openPlace } from '../place/open-place.ts';
import { FallbackStore } from './fallback-store.ts';
import { openFollowedSite } from './followed-site.ts';
import { LocalCopy } from './local-copy.ts';

const splitOn = (exDay: number): CorporateAction =>
  ({ ticker: ggal, exDay, type: 'split', factor: 10, source: 'x' }) as CorporateAction;

test('without the database, a site has the closes and the actions of the copy, and later those of the database', async (t) => {
  await using source = openPlace(await temporaryDirectory(t));
  await using store = await source.open({ mode: 'create' });
  await put(store, ggal, [close('2026-11-19', 1)]);
  await store.actions.apply({ put: [splitOn(20_000)], remove: [] });
  await using place = openPlace(await temporaryDirectory(t));
  await using copy = await LocalCopy.open(place, { log: silentLog, clock: systemClock });
  await copy.update(store);

  const fallback = new FallbackStore(copy);
  const universe = makeUniverse([{ ticker: ggal }]);
  const options = { universe, store: fallback, log: silentLog, intradaySessions: 0 };
  await using site = await openFollowedSite(options);
  assert.equal(site.actions.of(ggal).length, 1);
  assert.equal((await site.history.readSeries(ggal, allDays)).closes[0], 1);

  await put(store, ggal, [close('2026-11-19', 2)]);
  await store.actions.apply({ put: [splitOn(20_100)], remove: [] });
  fallback.connect(store);
  await until('the actions of the database', () => site.actions.of(ggal).length === 2);
  assert.equal((await site.history.readSeries(ggal, allDays)).closes[0], 2);
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
  const fallback = new FallbackStore(copy);
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
