import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { asRefusal, leavesOf, type Leaf } from './containers.ts';
import { closeExtensions, filesInFolder } from './folder.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';

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
