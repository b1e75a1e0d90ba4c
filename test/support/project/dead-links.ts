import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { anchorsIn, linksIn } from '../../docs/blocks.ts';

/** The links of the documents in a folder, and those of them that lead to no file or to no heading. */
export interface FolderLinks {
  readonly count: number;
  /** `docs/a.md: b.md#heading` */
  readonly dead: readonly string[];
}

/** Checks every relative link of every document in a folder. Bundled packages are left out. */
export function linksOfFolder(folder: string): FolderLinks {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const documents = names.filter((name) => name.endsWith('.md') && !name.includes('node_modules'));
  const found = documents.map((name) =>
    linksOfDocument(readFileSync(join(folder, name), 'utf8'), folder, name),
  );
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    dead: found.flatMap(({ dead }) => dead),
  };
}

/** Checks every relative link of one document that is at `name` in a folder. */
export function linksOfDocument(text: string, folder: string, name: string): FolderLinks {
  const targets = linksIn(text);
  const dead = targets.filter((target) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? name : normalize(join(dirname(name), path));
    // A link that leaves the folder leads to nothing in a package.
    if (file.startsWith('..') || (path !== '' && !existsSync(join(folder, file)))) return true;
    if (anchor === undefined) return false;
    return !anchorsIn(path === '' ? text : readFileSync(join(folder, file), 'utf8')).has(anchor);
  });
  return { count: targets.length, dead: dead.map((target) => `${name}: ${target}`) };
}
