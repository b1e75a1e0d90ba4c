import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of a package in package-lock.json that this file uses. */
interface LockEntry {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/**
 * The optional packages of package-lock.json for this system that are not installed. npm leaves out
 * an optional package if its own Node is too old for it or the download failed, and still reports
 * success.
 *
 * @param project the folder with package-lock.json. If it was installed with `--omit=dev`,
 *   development packages do not count as missing.
 */
export function missingPackages(project: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  const hasTools = existsSync(join(project, 'node_modules/vite'));
  return Object.entries(packages)
    .filter(([, entry]) => entry.optional === true && (hasTools || entry.dev !== true))
    .filter(([, entry]) => isForThisSystem(entry))
    .map(([path]) => path)
    .filter((path) => !existsSync(join(project, path, 'package.json')));
}

/** The pinned Node exists only for glibc, so a Linux system that runs it has glibc. */
function isForThisSystem({ os, cpu, libc }: LockEntry): boolean {
  if (os?.includes(process.platform) !== true || cpu?.includes(process.arch) !== true) return false;
  return libc === undefined || process.platform !== 'linux' || libc.includes('glibc');
}
