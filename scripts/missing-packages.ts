import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What package-lock.json says of one package. */
interface LockEntry {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/**
 * The packages of package-lock.json that are made for this system and are not installed. npm reports
 * success without them: it leaves out each optional package that its own Node is too old for, or that
 * it could not download.
 *
 * @param project the folder with package-lock.json. Where its development tools were left out
 *   (`--omit=dev`), none of them is missing.
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

/** Node, as it is pinned, exists for glibc alone, so that is what this system has. */
function isForThisSystem({ os, cpu, libc }: LockEntry): boolean {
  if (os?.includes(process.platform) !== true || cpu?.includes(process.arch) !== true) return false;
  return libc === undefined || process.platform !== 'linux' || libc.includes('glibc');
}
