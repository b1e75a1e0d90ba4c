import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { readPlayground, type PlaygroundFile } from '../../src/http/content/playground-file.ts';
import { temporaryDirectory } from '../support/program/program.ts';

const script = 'console.log("pizarra");'.repeat(50);

/** A page at `/` and a compressed script at `/assets/a.js`. */
export async function readSamplePlayground(): Promise<readonly PlaygroundFile[]> {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  await mkdir(join(path, 'assets'));
  await writeFile(join(path, 'index.html'), `<!doctype html>${' '.repeat(2_000)}`);
  await writeFile(join(path, 'assets/a.js'), script);
  await writeFile(join(path, 'assets/a.js.gz'), gzipSync(script));
  return await readPlayground(path);
}
