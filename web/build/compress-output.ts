import { readFile, readdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Fonts and PNG images are already compressed. */
const compressible = new Set(['.html', '.js', '.css', '.svg', '.txt', '.webmanifest']);

/**
 * Writes a `.br` and a `.gz` beside every file that becomes smaller, so the server need not
 * compress.
 */
export function compressOutput(): Plugin {
  return {
    name: 'pizarra:compress-output',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true });
      const chosen = names.filter((name) => compressible.has(extname(name)));
      await Promise.all(chosen.map((name) => compressFile(join(dir, name))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await Promise.all([
    writeIfSmaller(`${path}.br`, await brotli(bytes, { params }), bytes.length),
    writeIfSmaller(`${path}.gz`, await deflate(bytes, { level: 9 }), bytes.length),
  ]);
}

async function writeIfSmaller(path: string, coded: Buffer, plainBytes: number): Promise<void> {
  if (coded.length < plainBytes) await writeFile(path, coded);
}
