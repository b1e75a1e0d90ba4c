import assert from 'node:assert/strict';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { silentLog } from '../../lib/reports/log.ts';
import type { Board } from '../../board/board.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';
import { openPlace } from '../place/open-place.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Listeners } from '../listeners/open-listeners.ts';
import { resolveSettings } from '../../config/settings/resolve-settings.ts';
import { SoloNode } from './solo-node.ts';
import { testStamp } from '../../../test/support/market/test-change.ts';

const ticker = 'GGAL' as Ticker;

test('a demonstration that could not be replaced is shown unchanged, and the next attempt replaces it', async (t) => {
  const directory = await temporaryDirectory(t);
  await using place = openPlace(directory);
  await using claim = await place.claim({ id: 'one', name: 'here' });
  await using store = await place.open({ mode: 'create', claim });
  const settings = resolveSettings({ flags: { store: directory }, environment: {} });
  const shown: boolean[] = [];
  const listeners: Listeners = {
    origin: 'http://127.0.0.1:1',
    port: 0,
    show: async ({ site }) => {
      if (shown.push(site.isSimulated) === 2) throw new Error('not this time');
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const parts = {
    universe: makeUniverse([{ ticker }]),
    settings,
    feeds: { feeds: [], directory: '.' },
    log: silentLog,
    observer: new Metrics({ version: '0' }).pipeline(),
    place,
    claim,
  };
  await using showing = await SoloNode.open(store, parts, async (first) => {
    await listeners.show(first);
    return listeners;
  });
  await showing.replaceDemonstration();
  assert.deepEqual(shown, [true], 'no real data exists');

  const close = { day: toEpochDay('2026-11-19' as PlainDate), close: 100, volume: null };
  await store.history.transaction((transaction) => transaction.put(ticker, [close]), testStamp);
  await assert.rejects(showing.replaceDemonstration(), /not this time/);
  assert.equal(showing.isSimulated, true);
  await showing.replaceDemonstration();
  assert.deepEqual(shown, [true, false, false]);
  const { board } = showing.site.pipeline;
  assert.equal(board.quote(board.universe.get(ticker))?.last, 100);
});

test('after a reload whose market cannot be opened, the listeners show the market that is open again', async (t) => {
  const directory = await temporaryDirectory(t);
  await using place = openPlace(directory);
  await using claim = await place.claim({ id: 'one', name: 'here' });
  await using opened = await place.open({ mode: 'create', claim });
  let isFailing = false;
  const readAll: Store['quotes']['readAll'] = () => {
    if (!isFailing) return opened.quotes.readAll();
    isFailing = false;
    return Promise.reject(new StoreFault('unavailable', 'not this time'));
  };
  const store = { ...opened, quotes: { ...opened.quotes, readAll } };
  const flags = { store: directory, demonstration: 'off' };
  const parts = {
    universe: makeUniverse([{ ticker }]),
    settings: resolveSettings({ flags, environment: {} }),
    feeds: { feeds: [], directory: '.' },
    log: silentLog,
    observer: new Metrics({ version: '0' }).pipeline(),
    place,
    claim,
  };
  let shown: Board | undefined;
  const show: Listeners['show'] = async ({ site }) => {
    shown = site.pipeline.board;
  };
  await using node = await SoloNode.open(store, parts, async (first) => {
    await show(first);
    return { origin: '', port: 0, show, [Symbol.asyncDispose]: async () => undefined };
  });
  isFailing = true;
  await assert.rejects(node.reload(parts), { code: 'unavailable' });
  assert.ok(shown === node.site.pipeline.board);
});
