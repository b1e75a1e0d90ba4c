import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The fields of `package.json` that this file reads. */
export interface Manifest {
  readonly exports: { readonly '.': string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** The fields that only a clone needs. `private` prevents that a clone is published. */
const ofClone = new Set(['private', 'scripts', 'devDependencies']);

/** The manual page, which npm links where `man` finds it. */
export const manualFile = 'man/pizarra.1';

/** Reads the manifest of the clone. */
export async function readManifest(project: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as Manifest;
}

/** Writes `package.json` of the package. */
export async function writeManifest(project: string, stage: string): Promise<void> {
  const manifest = publishedManifest(await readManifest(project));
  await writeFile(join(stage, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/**
 * The manifest of the package: compiled entry points, bundled dependencies, and nothing that only a clone
 * needs.
 */
export function publishedManifest(manifest: Manifest): Record<string, unknown> {
  const entry = manifest.exports['.'].replace('./src/', './dist/').replace(/\.ts$/, '');
  const kept = Object.entries(manifest).filter(([field]) => !ofClone.has(field));
  return {
    ...Object.fromEntries(kept),
    exports: {
      '.': { types: `${entry}.d.ts`, default: `${entry}.js` },
      './contract/openapi.json': './contract/openapi.json',
      './package.json': './package.json',
      './schemas/*': './schemas/*',
    },
    types: `${entry}.d.ts`,
    man: [`./${manualFile}`],
    bundleDependencies: Object.keys(manifest.dependencies),
  };
}
