import { createReadStream, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { asRefusal, leavesOf, type Leaf } from './containers.ts';
import { decodeText } from './text.ts';

/** The name of standard input in a list of sources. */
const stdinSource = '-';

/** Size of the chunks in which a file is read. */
const chunkBytes = 262_144;

/** What the files of sources are selected by. */
interface SourceOptions {
  /** The extensions of the files that are read from a directory. */
  readonly extensions?: RegExp;
  /** The sheet that is read of a workbook. Undefined: the only one with values. */
  readonly sheet?: string | undefined;
}

/**
 * The files of a list of paths, in that order. A directory yields its files with these extensions by
 * name, an archive its entries. A path that cannot be read yields a refused leaf.
 */
export async function* leavesOfSources(
  sources: readonly string[],
  stdin: AsyncIterable<Uint8Array>,
  { extensions = closeExtensions, sheet }: SourceOptions = {},
): AsyncGenerator<Leaf> {
  for (const source of sources) {
    if (source === stdinSource) yield* leavesOf({ name: 'standard input', bytes: stdin }, sheet);
    else yield* leavesOfPath(source, extensions, sheet);
  }
}

async function* leavesOfPath(
  path: string,
  extensions: RegExp,
  sheet: string | undefined,
): AsyncGenerator<Leaf> {
  const found = await stateOf(path);
  if (found instanceof ImportRefusal) yield { type: 'refused', name: path, refusal: found };
  else if (found.isDirectory()) {
    for (const leaf of await filesInFolder(path, extensions)) {
      if (leaf.type === 'file') yield* leavesOfPath(leaf.name, extensions, sheet);
      else yield leaf;
    }
  } else {
    const bytes = createReadStream(path, { highWaterMark: chunkBytes });
    yield* leavesOf({ name: path, bytes, sizeBytes: found.size, path }, sheet);
  }
}

/** The state of a path. A symbolic link that is passed as a source is followed. */
async function stateOf(path: string): Promise<Stats | ImportRefusal> {
  try {
    const state = await stat(path);
    if (state.isFile() || state.isDirectory()) return state;
    // Opening a pipe would wait for its writer, and reading a device may never end.
    const message =
      'it is a pipe, a socket or a device, not a file; to import its content, pipe it into "import -"';
    return new ImportRefusal('unreadable', message);
  } catch (error) {
    return asRefusal(error);
  }
}

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

/** Maximum length of a file that is read as a whole, in characters. */
const fileCharsMax = 16_777_216;

/**
 * The text of a file that is small enough to be read as a whole.
 *
 * @throws ImportRefusal when the file cannot be read, is no text, or is too long.
 */
export async function wholeText(
  leaf: Exclude<Leaf, { readonly type: 'skipped' }>,
): Promise<string> {
  if (leaf.type === 'refused') throw leaf.refusal;
  let text = '';
  try {
    for await (const part of decodeText(leaf.bytes)) {
      text += part;
      if (text.length > fileCharsMax) {
        const message = `it is longer than ${fileCharsMax} characters; split it into several files`;
        throw new ImportRefusal('too-large', message);
      }
    }
  } catch (error) {
    throw asRefusal(error);
  }
  return text;
}
