import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test, type TestContext } from 'node:test';

import { flagName, settingNames, settingOf } from '../../config/settings/settings.ts';
import { commandTree } from '../completion/command-tree.ts';
import { wholeProgram } from '../program.ts';
import { manPage } from './man-page.ts';

const program = await wholeProgram('1.2.3');
const page = manPage(program);

/** The page as `man` shows it, on lines of any length. Skips the test without groff. */
function rendered(t: TestContext): string | undefined {
  // 400 columns, without justification: no word is divided. -ww names every doubt.
  const args = ['-ww', '-man', '-Tutf8', '-P-cbou', '-rLL=400n', '-rHY=0', '-dAD=l'];
  const { error, status, stdout, stderr } = spawnSync('groff', args, {
    input: page,
    encoding: 'utf8',
  });
  if (error !== undefined) {
    t.skip('groff is not installed');
    return undefined;
  }
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

test('groff renders the manual page without a warning, with every command, option and setting', (t) => {
  const text = rendered(t);
  if (text === undefined) return;
  assert.match(text, /Pizarra 1\.2\.3/);
  const nodes = commandTree(program).filter(({ commands }) => commands.length === 0);
  assert.ok(nodes.length > 25);
  for (const { path, options } of nodes) {
    const section: string = text.split(`\n   ${path} `)[1]?.split(/\n {0,3}\S/)[0] ?? '';
    assert.notEqual(section, '', path);
    for (const { flags } of options.filter(({ isHidden }) => !isHidden)) {
      const [flag = ''] = flags;
      const isShown: boolean = section.includes(flag) || section.includes('Settings: all');
      assert.ok(isShown || flag === '-h', `${path} ${flag}`);
    }
  }
  for (const name of settingNames) {
    assert.ok(text.includes(`${flagName(name)} <${settingOf(name).kind.placeholder}>`), name);
  }
});

test('man shows the page without a warning', (t) => {
  const args = ['--warnings', '-l', '-'];
  const { error, status, stdout, stderr } = spawnSync('man', args, {
    input: page,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', MANWIDTH: '80', MANPAGER: 'cat', LC_ALL: 'C.UTF-8' },
  });
  if (error !== undefined) return t.skip('man is not installed');
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^PIZARRA\(1\) .*PIZARRA\(1\)\n/);
});

test('the manual page names no path of the machine on which it was written', () => {
  assert.equal(page.includes(import.meta.dirname.replace(/\/src\/.*/, '')), false);
  assert.equal(page.includes(settingOf('universe').fallback.replaceAll('-', '\\-')), false);
});
