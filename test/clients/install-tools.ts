/**
 * Installs the linters and the generators for OpenAPI, and Bun, from `test/clients/tools/package-lock.json`.
 * They take 390 MB, so they are not development dependencies of the project. Without a registry, the tests that
 * need them are skipped.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { toolsFolder } from './programs.ts';

const source = join(import.meta.dirname, 'tools');
const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');
const stamp = join(toolsFolder, 'installed.json');

function isInstalled(): boolean {
  try {
    return readFileSync(stamp, 'utf8') === lock;
  } catch {
    return false;
  }
}

if (!isInstalled()) {
  mkdirSync(toolsFolder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    cpSync(join(source, name), join(toolsFolder, name));
  }
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { cwd: toolsFolder, stdio: 'inherit' });
  if (status === 0) writeFileSync(stamp, lock);
  else
    process.stderr.write(
      'The tools could not be installed. The tests that need them are skipped.\n',
    );
}
