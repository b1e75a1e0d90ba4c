import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asRefusal } from './containers.ts';
import type { Leaf } from './containers.ts';

/** What a folder is searched for; a file that is named itself is read whatever it is called. */
const extensions = /\.(?:csv|txt|tsv|json|ndjson|jsonl|gz|zip)$/i;

/** A file of a folder that is to be read, or what is left out. */
type Found =
  | Exclude<Leaf, { readonly type: 'bytes' }>
  | { readonly type: 'file'; readonly name: string };

/**
 * The files of a folder that have an extension of data, at any depth, in order of their paths.
 *
 * Symbolic links are not followed: one that stays within the folder leads to what is read under its
 * own name, and the others lead out of it or in circles. They are reported, as are pipes, sockets and
 * devices, and folders that cannot be read.
 */
export async function filesInFolder(folder: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  const folders = [folder];
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    try {
      for (const entry of await readdir(path, { withFileTypes: true })) {
        const name = join(path, entry.name);
        if (entry.isDirectory()) folders.push(name);
        else if (entry.isSymbolicLink()) {
          if (isData(entry.name) || (await leadsToFolder(name)))
            found.push(skipped(name, linkReason));
        } else if (isData(entry.name)) {
          found.push(entry.isFile() ? { type: 'file', name } : skipped(name, noFileReason));
        }
      }
    } catch (error) {
      found.push({ type: 'refused', name: path, refusal: asRefusal(error) });
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const linkReason = 'it is a symbolic link; to import what it leads to, name it';
const noFileReason = 'it is no file but a pipe, a socket or a device';

function skipped(name: string, reason: string): Found {
  return { type: 'skipped', name, reason };
}

function isData(name: string): boolean {
  return extensions.test(name) && !name.startsWith('.');
}

async function leadsToFolder(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isDirectory();
  } catch {
    // It leads nowhere, or in a circle.
    return false;
  }
}
