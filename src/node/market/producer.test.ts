import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { openPlace } from '../place/open-place.ts';
import { resolveSettings } from '../../config/settings/resolve-settings.ts';
import type { PipelineObserver } from './open-pipeline.ts';
import { Producer, type MarketParts } from './producer.ts';

test('a market that fails to open is closed again, so that one market alone writes', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-producer-'));
  t.after(() => rm(directory, { recursive: true }));
  await using place = openPlace(directory);
  await using claim = await place.claim({ id: 'one', name: 'test' });
  await using store = await place.open({ mode: 'create', claim });
  let markets = 0;
  const observer: PipelineObserver = {
    commits: { committed: () => undefined, failed: () => undefined },
    differences: () => undefined,
    rejectedRows: () => undefined,
    judged: () => undefined,
    watch: () => {
      markets += 1;
      return { [Symbol.dispose]: () => void (markets -= 1) };
    },
  };
  const parts: MarketParts = {
    universe: makeUniverse([{ ticker: 'GGAL' }]),
    settings: resolveSettings({ flags: { store: directory }, environment: {} }),
    feeds: { feeds: [], directory },
    log: silentLog,
    observer,
    place,
  };
  const fault = new Error('no reader');
  let isFailing = false;
  const onQuotes = (): void => {
    const fails = isFailing;
    isFailing = false;
    if (fails) throw fault;
  };
  await using producer = await Producer.open(parts, {
    place,
    store,
    isSimulated: false,
    onQuotes,
    catchUp: async () => undefined,
  });
  isFailing = true;
  await assert.rejects(producer.renew(parts), fault);
  assert.equal(markets, 1);
});
