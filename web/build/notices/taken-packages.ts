import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package of which the bundler took something. */
export interface TakenPackage {
  readonly folder: string;
  /** Whether only code that the build tools generate is of it. */
  readonly isHelper: boolean;
  /** The names of the packages within its own bundle, as the source maps of the taken files list them. */
  readonly within: readonly string[];
  /** The comments of the licences that were cut out of its bundle. */
  readonly comments: string;
}

/** Where a path enters a package, and the name of the package. */
const packagePath = /^(.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)\//;

/** The id of a module that a build tool generates, such as `\0vite/preload-helper.js`. */
const generated = /^\0((?:@[^/]+\/)?[^/]+)\//;

/**
 * The packages of the modules that the bundler took, in the order of their folders.
 *
 * @param ids the paths of files, and the ids of generated modules.
 * @param root the folder with `node_modules`.
 */
export function takenPackages(ids: Iterable<string>, root: string): readonly TakenPackage[] {
  const files = new Map<string, string[]>();
  for (const id of ids) {
    const path = id.replace(/\?.*$/, '');
    const folder = folderOf(path, root);
    if (folder !== undefined) files.set(folder, [...(files.get(folder) ?? []), path]);
  }
  return [...files]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, paths]) => ({
      folder,
      isHelper: paths.every((path) => generated.test(path)),
      within: [...new Set(paths.flatMap(packagesWithin))].toSorted(),
      comments: paths.map(commentsOf).join(''),
    }));
}

/** The folder of the package of a file. Undefined for a file of the project. */
function folderOf(path: string, root: string): string | undefined {
  const helper = generated.exec(path)?.[1];
  if (helper !== undefined) return join(root, 'node_modules', helper);
  const [, parent, name] = packagePath.exec(path) ?? [];
  return parent === undefined || name === undefined ? undefined : parent + name;
}

/** The names of the packages that a file was bundled from before it was published. */
function packagesWithin(path: string): readonly string[] {
  if (!existsSync(`${path}.map`)) return [];
  const { sources } = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as {
    readonly sources: readonly string[];
  };
  return sources.flatMap((source) => packagePath.exec(`/${source}`)?.[2] ?? []);
}

/** The file that webpack writes beside a bundle without comments. */
function commentsOf(path: string): string {
  const file = join(dirname(path), `${path.slice(dirname(path).length + 1)}.LICENSE.txt`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
