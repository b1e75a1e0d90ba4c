import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a directory that is removed when it is disposed. */
export async function scratchDirectory(
  parent = tmpdir(),
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(parent, 'pizarra-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
