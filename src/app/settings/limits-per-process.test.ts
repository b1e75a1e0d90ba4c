import assert from 'node:assert/strict';
import { test } from 'node:test';

import { limitsPerProcess } from './limits-per-process.ts';
import { resolveSettings } from './resolve-settings.ts';

const settings = resolveSettings({
  flags: { historyCacheMib: '100', streamsMax: '5000', connectionsMax: '10000' },
  environment: {},
});

test('processes share out what the whole service may take, and leave nothing without', () => {
  const { historyCacheMib, streamsMax, connectionsMax } = limitsPerProcess(settings, 3);
  assert.deepEqual([historyCacheMib, streamsMax, connectionsMax], [34, 1_667, 3_334]);
  assert.equal(limitsPerProcess(settings, 256).historyCacheMib, 1);
});

test('a limit on one client holds in each process as it is', () => {
  const { streamsPerKeyMax, connectionsPerAddressMax } = limitsPerProcess(settings, 4);
  assert.equal(streamsPerKeyMax, settings.streamsPerKeyMax);
  assert.equal(connectionsPerAddressMax, settings.connectionsPerAddressMax);
});

test('one process has all of every limit', () => {
  assert.deepEqual(limitsPerProcess(settings, 1), settings);
});
