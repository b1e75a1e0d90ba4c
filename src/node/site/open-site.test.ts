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
import { openRealSite, type SiteParts } from './open-site.ts';

test('a market that fails to open is closed again, so that one market alone writes', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-site-'));
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
  const parts: SiteParts = {
    universe: makeUniverse([{ ticker: 'GGAL' }]),
    settings: resolveSettings({ flags: { store: directory }, environment: {} }),
    feeds: { feeds: [], directory },
    log: silentLog,
    observer,
    place,
    claim,
  };
  await using site = await openRealSite(parts, store);
  const fault = new Error('no reader');
  const onQuotes = (): never => {
    throw fault;
  };
  await assert.rejects(site.renew({ ...parts, onQuotes }), fault);
  assert.equal(markets, 1);
});
