import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

import { Body, type Compression } from './body.ts';

/** One file of the built playground, in memory in all its encodings. */
export interface PlaygroundFile {
  /** Below the playground's root: `index.html`, `assets/index-B3xQ.js`. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly body: Body;
}

/** The suffixes of the compressed files that the build writes. */
const suffixes: ReadonlyMap<Compression, string> = new Map([
  ['br', '.br'],
  ['gzip', '.gz'],
]);

const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.webmanifest', 'application/manifest+json'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.woff2', 'font/woff2'],
]);

/**
 * Reads the built playground. Its files are small and served from memory, so no part of a request ever
 * becomes a path on the disk. Files of other types are left out.
 *
 * @returns no files if the directory does not exist, because the playground was not built.
 */
export async function readPlayground(directory: string): Promise<readonly PlaygroundFile[]> {
  const names = await namesIn(directory);
  const known = new Set(names);
  const served = names.filter((name) => mediaTypes.has(extname(name)));
  return Promise.all(served.map((name) => readPlaygroundFile(directory, name, known)));
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    const names = await readdir(directory, { recursive: true, encoding: 'utf8' });
    return names.map((name) => name.replaceAll('\\', '/')).toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function readPlaygroundFile(
  directory: string,
  name: string,
  known: ReadonlySet<string>,
): Promise<PlaygroundFile> {
  const made = [...suffixes].filter(([, suffix]) => known.has(name + suffix));
  const compressed = await Promise.all(
    made.map(async ([coding, suffix]) => {
      return [coding, await readFile(join(directory, name + suffix))] as const;
    }),
  );
  const bytes = await readFile(join(directory, name));
  const body = new Body({
    type: mediaTypes.get(extname(name)) ?? '',
    parts: [bytes],
    // The build has created the compressed forms that save enough.
    mayCompress: () => false,
    compressed: new Map(compressed),
  });
  return { name, bytes, body };
}
