import assert from 'node:assert/strict';
import { test } from 'node:test';

import { reloadSettings, settingNames, settingOf, type Settings } from './settings.ts';
import { resolveSettings } from './resolve-settings.ts';

const current = resolveSettings({ flags: {}, environment: {} });

test('a reload applies a reloadable setting', () => {
  const configured = resolveSettings({
    flags: { logLevel: 'warn', basePath: '/v5' },
    environment: {},
  });
  const { settings, changed, needRestart } = reloadSettings(current, configured);
  assert.deepEqual([settings.logLevel, settings.basePath], ['warn', '/v5']);
  assert.deepEqual([changed, needRestart], [['basePath', 'logLevel'], []]);
});

test('a reload keeps the value of a setting that takes a restart, and names it', () => {
  const configured = resolveSettings({
    flags: { port: '9090', store: '/elsewhere' },
    environment: {},
  });
  const { settings, changed, needRestart } = reloadSettings(current, configured);
  assert.deepEqual(settings, current);
  assert.deepEqual([changed, needRestart], [[], ['store', 'port']]);
});

test('a reload applies every setting that says it is reloadable, and no other', () => {
  for (const name of settingNames) {
    const configured = { ...current, [name]: 'another value' } as Settings;
    const { settings, changed, needRestart } = reloadSettings(current, configured);
    const { reloadable } = settingOf(name);
    assert.deepEqual([changed, needRestart], reloadable === true ? [[name], []] : [[], [name]]);
    assert.equal(settings[name], reloadable === true ? 'another value' : current[name]);
  }
});
