import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { LicenceTable } from '../../web/build/notices/licence-table.ts';
import { noticesName } from '../../web/build/notices/names.ts';
import { noticesText } from '../../web/build/notices/notices-text.ts';
import { packageNotice } from '../../web/build/notices/package-notice.ts';
import { bundledPaths } from './bundle.ts';

const introduction = `Pizarra contains the packages below, under the licences that follow their names: first the packages of
the service (node_modules/), then those of its pages (web/dist/). Node is a package of its own, and has its
licence in its own folder (node_modules/node-*/LICENSE).`;

/**
 * The notices of everything within the package: of the packages that it bundles and of those that the built
 * playground contains.
 *
 * @throws when the licence of a package is not known.
 */
export async function packageNotices(project: string): Promise<string> {
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as {
    readonly packages: Parameters<typeof bundledPaths>[0];
  };
  const table = new LicenceTable();
  const notices = bundledPaths(lock.packages).map((path) =>
    packageNotice(join(project, path), table),
  );
  const ofPages = await readFile(join(project, 'web/dist', noticesName), 'utf8');
  return `${noticesText(introduction, notices)}\n\n${ofPages}`;
}
