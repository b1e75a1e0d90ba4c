import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asRefusal, leavesOf } from './containers.ts';
import type { Leaf } from './containers.ts';

/** What stands for standard input in a list of sources. */
const stdinSource = '-';

/** What a directory is searched for; a file that is named itself is read whatever it is called. */
const extensions = /\.(?:csv|txt|tsv|json|ndjson|jsonl|gz|zip)$/i;

/** How much of a file is read at a time. */
const chunkBytes = 262_144;

/**
 * The files of a list of paths, in that order: of a directory all that have an extension of data,
 * however deep, by name; of an archive its entries. A path that cannot be read is a leaf that is
 * refused.
 */
export async function* leavesOfSources(
  sources: readonly string[],
  stdin: AsyncIterable<Uint8Array>,
): AsyncGenerator<Leaf> {
  for (const source of sources) {
    if (source === stdinSource) yield* leavesOf({ name: 'standard input', bytes: stdin });
    else yield* leavesOfPath(source);
  }
}

async function* leavesOfPath(path: string): AsyncGenerator<Leaf> {
  try {
    const { size, isDirectory } = await stateOf(path);
    if (!isDirectory) {
      const bytes = createReadStream(path, { highWaterMark: chunkBytes });
      yield* leavesOf({ name: path, bytes, sizeBytes: size, path });
      return;
    }
  } catch (error) {
    yield { type: 'refused', name: path, refusal: asRefusal(error) };
    return;
  }
  for (const file of await filesIn(path)) yield* leavesOfPath(file);
}

async function stateOf(path: string): Promise<{ size: number; isDirectory: boolean }> {
  const state = await stat(path);
  return { size: state.size, isDirectory: state.isDirectory() };
}

async function filesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && extensions.test(entry.name) && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
