import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the packages of a folder with a `package.json` and a lock file, unless they are installed already.
 * They are too large for development dependencies of the project.
 *
 * @param target where they are installed. Afterwards `installed.json` exists there.
 * @returns whether they are installed. Without a registry they are not.
 */
export function installTools(source: string, target: string): boolean {
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');
  const stamp = join(target, 'installed.json');
  if (textOf(stamp) === lock) return true;
  mkdirSync(target, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    cpSync(join(source, name), join(target, name));
  }
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { cwd: target, stdio: 'inherit' });
  if (status !== 0) return false;
  writeFileSync(stamp, lock);
  return true;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
