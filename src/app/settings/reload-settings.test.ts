import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reloadSettings } from './reload-settings.ts';
import { resolveSettings } from './resolve-settings.ts';

const held = resolveSettings({ flags: {}, environment: {} });

test('a setting that a running service can take over holds from now on', () => {
  const told = resolveSettings({ flags: { logLevel: 'warn', basePath: '/v5' }, environment: {} });
  const { settings, changed, needRestart } = reloadSettings(held, told);
  assert.deepEqual([settings.logLevel, settings.basePath], ['warn', '/v5']);
  assert.deepEqual([changed, needRestart], [['basePath', 'logLevel'], []]);
});

test('a setting that takes a restart stays as it was, and is named', () => {
  const told = resolveSettings({ flags: { port: '9090', data: '/elsewhere' }, environment: {} });
  const { settings, changed, needRestart } = reloadSettings(held, told);
  assert.deepEqual(settings, held);
  assert.deepEqual([changed, needRestart], [[], ['port', 'data']]);
});
