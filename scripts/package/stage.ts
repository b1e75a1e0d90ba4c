import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { programVersion } from '../../src/node/program-version.ts';
import { wholeProgram } from '../../src/cli/program.ts';
import { manPage } from '../../src/cli/manual/man-page.ts';
import { buildWhenStale } from '../../web/build/build-when-stale.ts';
import { noticesName } from '../../web/build/notices/names.ts';
import { bundlePackages } from './bundle.ts';
import { compile, compiledEntry } from './compile.ts';
import { rewriteDocuments } from './documents.ts';
import { manualFile, writeManifest } from './manifest.ts';
import { packageNotices } from './package-notices.ts';

/** What the package takes from the project as it is. The compiled sources and the manifest are added. */
export const packagedFiles = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bin',
  'contract/openapi.json',
  'deploy/pizarra.example.yaml',
  'deploy/grafana',
  'deploy/kubernetes',
  'deploy/prometheus',
  'deploy/proxy',
  'deploy/systemd',
  'docs',
  'schemas',
  'universe',
  'web/dist',
] as const;

/** What an installation does not need: pictures, tests, and stamps of the build. */
const left = [/^docs\/images$/, /\.test\.\w+$/, /(?:^|\/)\.[^/]+$/];

/**
 * Writes the files of the package into a folder, which is emptied before.
 *
 * @throws when the playground cannot be built, or the sources do not compile.
 */
export async function stagePackage(project: string, stage: string): Promise<void> {
  if ((await buildWhenStale()) === 'no-tools') {
    throw new Error('The build tools are not installed. Run "npm ci" without --omit=dev.');
  }
  await stageFiles(project, stage);
  await compile(project, stage);
  const entry = join(stage, 'bin/pizarra.js');
  await writeFile(entry, compiledEntry(await readFile(entry, 'utf8')));
  await mkdir(join(stage, 'man'));
  await writeFile(join(stage, manualFile), manPage(await wholeProgram(programVersion())));
  await bundlePackages(project, stage);
  await writeFile(join(stage, noticesName), await packageNotices(project));
  await writeManifest(project, stage);
}

/** Copies the files that the package takes as they are into a folder, which is emptied before. */
export async function stageFiles(project: string, stage: string): Promise<void> {
  await rm(stage, { recursive: true, force: true });
  await mkdir(stage, { recursive: true });
  for (const name of packagedFiles) {
    const filter = (path: string): boolean =>
      !left.some((one) => one.test(relative(project, path)));
    await cp(join(project, name), join(stage, name), { recursive: true, filter });
  }
  await rewriteDocuments(stage);
}
