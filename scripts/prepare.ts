/**
 * Completes an installation: `npm run build`. `npm start` and `npm test` run it first. If nothing
 * is missing, it takes less than 0.2 s.
 *
 * 1. Links the pinned Node into node_modules/.bin, so that the npm scripts and `npx` use it. npm up
 *    to version 10 deletes this link together with the links of the packages for other systems,
 *    which have the same name.
 * 2. Installs the packages that npm left out because the Node it ran on is too old for them.
 * 3. Builds the playground.
 * 4. Bundles the program, which bin/pizarra then starts in place of the sources.
 */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { missingPackages } from './missing-packages.ts';

const project = join(import.meta.dirname, '..');

try {
  linkNode();
  installMissing();
  linkNode();
  // Dynamic imports, because installMissing() may just have installed the packages of the build.
  const { buildWhenStale } = await import('../web/build/build-when-stale.ts');
  const result = await buildWhenStale(() => {
    print('Building the page and the program, which takes some seconds. The next start skips it.');
  });
  if (result === 'no-tools') {
    print(
      'The playground is not built. Run "npm ci" without --omit=dev to install its build tools.',
    );
  }
  const { bundleWhenStale } = await import('./program/bundle.ts');
  await bundleWhenStale(project, join(project, 'build/program'));
} catch (error) {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
  // The service can still run, with the existing playground.
  print(
    `Could not complete the installation: this user cannot write ${path}. Run "npm run build" as its owner.`,
  );
}

function linkNode(): void {
  const link = join(project, 'node_modules/.bin/node');
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(link), process.execPath), link);
}

function installMissing(): void {
  const missing = missingPackages(project);
  if (missing.length === 0) return;
  const npm = process.env['npm_execpath'] ?? '';
  print(`Missing packages: ${missing.join(', ')}.`);
  if (basename(npm) === 'npm-cli.js') {
    print(
      'Running "npm ci" again with the pinned Node, because npm left them out with an older Node.',
    );
    spawnSync(process.execPath, [npm, 'ci', '--ignore-scripts'], {
      cwd: project,
      stdio: 'inherit',
    });
  }
  const left = missingPackages(project);
  if (left.length === 0) return;
  print(`Could not install ${left.join(', ')}. Run "npm ci" again, with access to the registry.`);
  process.exit(1);
}

function print(line: string): void {
  process.stderr.write(`pizarra: ${line}\n`);
}
