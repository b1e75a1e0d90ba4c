import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { publishedManifest, readManifest } from '../package/manifest.ts';
import { addComponentsWithin, browserPackages } from './browser-components.ts';
import { run } from './run.ts';

/** A package of `package-lock.json`. */
interface Locked {
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * What the service contains of other packages, Node and the packages of its pages included, with their
 * licences and hashes, as CycloneDX.
 *
 * npm reads it from a lock file without the packages for development. From that of the clone, with
 * `--omit=dev`, npm 11 leaves out the packages that development needs too. The packages of the pages are for
 * development, because the build puts them into the pages: here they are dependencies.
 */
export async function billOfMaterials(project: string): Promise<string> {
  // npm names the component after the folder.
  const folder = join(project, 'build/bill/pizarra');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const listed = await browserPackages(project);
  const ofPages = Object.fromEntries(listed.map(({ name, version }) => [name, version]));
  const { bundleDependencies: _, ...published } = publishedManifest(await readManifest(project));
  const dependencies = { ...(published['dependencies'] as object), ...ofPages };
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const { '': root, ...packages } = lock.packages;
  const { devDependencies: __, ...ofService } = root as { readonly devDependencies?: unknown };
  const service = {
    ...lock,
    packages: { '': { ...ofService, dependencies }, ...keptPackages(packages, ofPages) },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...published, dependencies }));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(service));
  const flags = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const bill = run('npm', ['sbom', ...flags, '--package-lock-only'], folder);
  const whole = addComponentsWithin(
    JSON.parse(bill) as Parameters<typeof addComponentsWithin>[0],
    listed,
  );
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

/** The packages of the service and of its pages. A package of the pages needs only what the pages contain. */
function keptPackages(
  packages: Readonly<Record<string, Locked>>,
  ofPages: Readonly<Record<string, string>>,
): Readonly<Record<string, Locked>> {
  const kept = Object.entries(packages).flatMap(([path, locked]): [string, Locked][] => {
    if (locked.dev !== true) return [[path, locked]];
    if (!Object.hasOwn(ofPages, path.replace(/^node_modules\//, ''))) return [];
    const { dev: _, dependencies = {}, peerDependencies: __, ...rest } = locked;
    const taken = Object.entries(dependencies).filter(([name]) => Object.hasOwn(ofPages, name));
    return [[path, { ...rest, dependencies: Object.fromEntries(taken) }]];
  });
  return Object.fromEntries(kept);
}
