import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asRefusal, type Leaf } from './containers.ts';

/** Extensions of the files with closes that are imported from a folder. A named file needs none of them. */
export const closeExtensions = /\.(?:csv|txt|tsv|json|ndjson|jsonl|xlsx|gz|zip)$/i;

/** The same for files with corporate actions. */
export const actionExtensions = /\.(?:csv|txt|tsv|json|ya?ml|gz|zip)$/i;

/** The same for files with values of indices. */
export const indexExtensions = /\.(?:csv|txt|tsv|gz|zip)$/i;

/** A file to import from a folder, or a file that is refused or skipped. */
type Found =
  | Exclude<Leaf, { readonly type: 'bytes' }>
  | { readonly type: 'file'; readonly name: string };

/**
 * The data files in a folder, found by extension at any depth, in order of their paths.
 *
 * Symbolic links are not followed: a link within the folder points to a file that is read anyway,
 * and other links point outside the folder or form a loop. Links, pipes, sockets, devices and
 * unreadable folders are reported.
 */
export async function filesInFolder(folder: string, extensions: RegExp): Promise<readonly Found[]> {
  const isData = (name: string): boolean => extensions.test(name) && !name.startsWith('.');
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

const linkReason = 'it is a symbolic link; to import its target, pass the link as a source';
const noFileReason = 'it is a pipe, a socket or a device, not a file';

function skipped(name: string, reason: string): Found {
  return { type: 'skipped', name, reason };
}

async function leadsToFolder(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isDirectory();
  } catch {
    // The target does not exist, or the link is part of a loop.
    return false;
  }
}
