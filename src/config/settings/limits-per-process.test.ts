import assert from 'node:assert/strict';
import { test } from 'node:test';

import { limitsPerProcess, settingNames, settingOf } from './settings.ts';
import { resolveSettings } from './resolve-settings.ts';

const settings = resolveSettings({
  flags: { responsesMib: '100', streamsMax: '5000', connectionsMax: '10000' },
  environment: {},
});

test('processes divide the limits of the whole service, and each gets at least one', () => {
  const { responsesMib, streamsMax, connectionsMax } = limitsPerProcess(settings, 3);
  assert.deepEqual([responsesMib, streamsMax, connectionsMax], [34, 1_667, 3_334]);
  assert.equal(limitsPerProcess(settings, 256).responsesMib, 1);
});

test('exactly the settings that say so are divided; a limit on one client is not', () => {
  const each = limitsPerProcess(settings, 4);
  const divided = settingNames.filter((name) => each[name] !== settings[name]);
  assert.deepEqual(
    divided,
    settingNames.filter((name) => settingOf(name).sharedOverWorkers === true),
  );
  assert.equal(each.streamsPerKeyMax, settings.streamsPerKeyMax);
  assert.equal(each.connectionsPerAddressMax, settings.connectionsPerAddressMax);
});

test('a single process has all of every limit', () => {
  assert.deepEqual(limitsPerProcess(settings, 1), settings);
});
