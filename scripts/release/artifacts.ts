import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { pack } from '../package/pack.ts';
import { stagePackage } from '../package/stage.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { packClients } from './pack-clients.ts';

/**
 * Builds the files of a release from the files of the project as they are: the packages, the bill of
 * materials and the checksums.
 *
 * @returns the folder with the files.
 */
export async function buildArtifacts(
  project: string,
  { version, notes }: { readonly version: string; readonly notes: string },
): Promise<string> {
  const folder = join(project, 'build/release', version);
  const stage = join(project, 'build/package');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await stagePackage(project, stage);
  const files = [pack(stage, folder), ...packClients(project, { version, folder })];
  const bill = join(folder, `pizarra-${version}.cdx.json`);
  await writeFile(bill, await billOfMaterials(project));
  await writeFile(join(folder, 'NOTES.md'), notes);
  const sums = await Promise.all([...files, bill].map(checksumLine));
  // Written under its final name only when it is complete.
  await writeFile(join(folder, 'SHA256SUMS.unfinished'), sums.toSorted().join(''));
  await rename(join(folder, 'SHA256SUMS.unfinished'), join(folder, 'SHA256SUMS'));
  return folder;
}

/** A line as `sha256sum --check` reads it. */
async function checksumLine(path: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  return `${digest}  ${basename(path)}\n`;
}
