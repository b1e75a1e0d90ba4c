import { cp, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The fields of a package in `package-lock.json` that this file uses. */
interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/** What of a package only developers and old browsers use. Nested packages have entries of their own in the lock file. */
const unneeded = [
  /(?:^|\/)(?:tests?|__tests__|bench|benchmarks?|examples?|docs|coverage|node_modules)$/,
  /(?:^|\/)\./,
  /\.map$/,
  /\.[cm]?ts$/,
  /-es5(?:\.min)?\.js$/,
  /(?:^|\/)(?!licen[cs]e)[^/]*\.md$/i,
];

function isNeeded(inside: string): boolean {
  return !unneeded.some((one) => one.test(inside));
}

/**
 * Copies the packages that the service needs into the package, as `package-lock.json` pins them. So an
 * installation has exactly the packages that the tests ran with, and the hash of the archive covers them.
 * Their tests, documents, declarations and builds for old browsers are left out. Only Node, which differs by
 * system, is left to the installation.
 *
 * @throws when one of them is not installed.
 */
export async function bundlePackages(project: string, stage: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  for (const path of bundledPaths(lock.packages)) {
    await cp(join(project, path), join(stage, path), {
      recursive: true,
      filter: (one) => isNeeded(relative(join(project, path), one)),
    });
  }
}

/** The folders of the packages that an installation on any system needs. */
export function bundledPaths(packages: Readonly<Record<string, Locked>>): readonly string[] {
  return Object.entries(packages)
    .filter(([path, { dev, optional }]) => path !== '' && dev !== true && optional !== true)
    .map(([path]) => path);
}
