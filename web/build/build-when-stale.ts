import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type * as Vite from 'vite';

import { inputsDigest } from './inputs-digest.ts';

const web = resolve(import.meta.dirname, '..');
/** The folder of the built playground. The server reads it from here. */
const output = join(web, 'dist');
const stampName = '.inputs';

/**
 * Builds the playground, unless the existing build has the same inputs. The comparison takes about
 * ten milliseconds. A new build replaces the existing one only when it is complete.
 *
 * @param onBuild is called before a build, which takes some seconds.
 * @returns `no-tools` if Vite is not installed.
 */
export async function buildWhenStale(
  onBuild: () => void = () => undefined,
): Promise<'fresh' | 'built' | 'no-tools'> {
  const digest = await inputsDigest(web);
  if ((await builtFrom()) === digest) return 'fresh';
  const vite = await importVite();
  if (vite === undefined) return 'no-tools';
  onBuild();
  const { viteConfig } = await import('../vite.config.ts');
  // mkdtemp creates directories that only their owner can read. The service may run as another user
  // than the one that installs it.
  const fresh = `${output}-${randomUUID()}`;
  try {
    await mkdir(fresh);
    const build = { ...viteConfig.build, outDir: fresh, emptyOutDir: false };
    await vite.build({ ...viteConfig, build });
    await writeFile(join(fresh, stampName), digest);
    await rm(output, { recursive: true, force: true });
    await rename(fresh, output);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return 'built';
}

async function builtFrom(): Promise<string | undefined> {
  try {
    return await readFile(join(output, stampName), 'utf8');
  } catch {
    return undefined;
  }
}

async function importVite(): Promise<typeof Vite | undefined> {
  try {
    return await import('vite');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
