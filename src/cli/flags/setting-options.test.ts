import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Command } from 'commander';

import { flagName, settingNames, settingOf } from '../../config/settings/settings.ts';
import { settingGroups } from '../../config/settings/table/setting.ts';
import { addSettingOptions } from './setting-options.ts';

test('the help lists every setting once, below the heading of its group', () => {
  const help = addSettingOptions(new Command('serve'), settingNames).helpInformation();
  const lines = help.split('\n');
  const headings: string[] = [];
  const flags = new Map<string, string>();
  for (const line of lines) {
    if (/^[A-Z].*:$/.test(line)) headings.push(line.slice(0, -1));
    const flag = /^ {2}(--[a-z-]+) /.exec(line)?.[1];
    if (flag !== undefined) flags.set(flag, headings.at(-1) ?? '');
  }
  assert.deepEqual(
    headings.filter((heading) => heading !== 'Options'),
    [...settingGroups],
  );
  for (const name of settingNames) {
    assert.equal(flags.get(flagName(name)), settingOf(name).group, name);
  }
});
