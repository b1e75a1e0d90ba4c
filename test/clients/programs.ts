import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A program that a test needs, or why the test is skipped. */
export interface Program {
  readonly path: string;
  readonly skip: string | false;
}

/** Where `test/clients/install-tools.ts` installs the tools. */
export const toolsFolder = join(import.meta.dirname, '../../node_modules/.cache/client-tools');

/** Why the tests that need these tools cannot run; false when they can. */
export const noTools: string | false = existsSync(join(toolsFolder, 'installed.json'))
  ? false
  : 'the tools are not installed: node test/clients/install-tools.ts';

/** A Node of the machine that is older than the one of the project. The variable `OLD_NODE` sets another. */
export const oldNode: Program = findOldNode();

/** Bun, where `npm run test:clients` could install it. The variable `BUN` sets another. */
export const bun: Program = findBun();

function findOldNode(): Program {
  const inPath = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'));
  for (const path of [process.env['OLD_NODE'] ?? '', ...inPath]) {
    if (path === '' || !existsSync(path)) continue;
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    const major = Number(/^v(\d+)/.exec(stdout)?.[1]);
    if (major >= 20 && major < 26) return { path, skip: false };
  }
  return { path: '', skip: 'the machine has no Node 20 to 25 (set OLD_NODE)' };
}

function findBun(): Program {
  const installed = join(toolsFolder, 'node_modules/@oven/bun-linux-x64/bin/bun');
  const path = process.env['BUN'] ?? installed;
  return existsSync(path) ? { path, skip: false } : { path, skip: `there is no Bun at ${path}` };
}
