import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** The bytes of a file in one coding, with the strong ETag of exactly those bytes. */
export interface CodedBody {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** One file of the built playground, in memory with all its codings. */
export interface PlaygroundFile {
  /** Below the playground's root: `index.html`, `assets/index-B3xQ.js`. */
  readonly name: string;
  readonly mediaType: string;
  /** By content coding: `identity` always, `br` and `gzip` where the build made them. */
  readonly bodies: ReadonlyMap<string, CodedBody>;
}

/** What the build leaves beside a file that is worth compressing. */
const codingSuffixes: ReadonlyMap<string, string> = new Map([
  ['br', '.br'],
  ['gzip', '.gz'],
]);

const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.woff2', 'font/woff2'],
]);

/**
 * Reads the built playground: a few files of a few hundred kilobytes, so they are served from memory
 * and nothing of a request ever becomes a path on the disk. Files of other types are left out.
 *
 * @returns no files when the directory is not there: the playground was not built.
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
  const bodies = new Map([['identity', await readBody(join(directory, name))]]);
  for (const [coding, suffix] of codingSuffixes) {
    if (known.has(name + suffix))
      bodies.set(coding, await readBody(join(directory, name + suffix)));
  }
  return { name, mediaType: mediaTypes.get(extname(name)) ?? '', bodies };
}

async function readBody(path: string): Promise<CodedBody> {
  const bytes = await readFile(path);
  const digest = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, etag: `"${digest.slice(0, 22)}"` };
}
