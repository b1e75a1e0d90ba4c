import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { publishedManifest, readManifest } from '../package/manifest.ts';
import { run } from './run.ts';

/** The part of `package-lock.json` that this file uses. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

/**
 * What the service contains of other packages, Node included, with their licences and hashes, as CycloneDX.
 *
 * npm reads it from a lock file without the packages for development. From that of the clone, with
 * `--omit=dev`, npm 11 leaves out the packages that development needs too.
 */
export async function billOfMaterials(project: string): Promise<string> {
  // npm names the component after the folder.
  const folder = join(project, 'build/bill/pizarra');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { bundleDependencies: _, ...manifest } = publishedManifest(await readManifest(project));
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as Lock;
  const { '': root, ...packages } = lock.packages;
  const { devDependencies: __, ...ofService } = root as { readonly devDependencies?: unknown };
  const kept = Object.entries(packages).filter(([, { dev }]) => dev !== true);
  const service = { ...lock, packages: { '': ofService, ...Object.fromEntries(kept) } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(service));
  const flags = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  return run('npm', ['sbom', ...flags, '--package-lock-only'], folder);
}
