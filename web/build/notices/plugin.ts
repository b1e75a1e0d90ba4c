import { resolve } from 'node:path';

import type { Plugin, Rolldown } from 'vite';

import { browserNotices } from './browser-notices.ts';
import { LicenceTable } from './licence-table.ts';
import { noticesName, packagesName } from './names.ts';
import type { ListedPackage } from './names.ts';
import { noticesText } from './notices-text.ts';
import { takenPackages } from './taken-packages.ts';

const introduction = `The pages of Pizarra contain the packages below, under the licences that follow their names.
The build of the pages wrote this file, from the files that it took.`;

/** Writes the notices of all packages that the bundler took, and the list of these packages. */
export function writeNotices(): Plugin {
  const web = resolve(import.meta.dirname, '../..');
  return {
    name: 'pizarra:notices',
    apply: 'build',
    generateBundle(_options, bundle) {
      const table = new LicenceTable();
      const found = takenPackages(idsIn(bundle, web), resolve(web, '..')).map((taken) => ({
        ...browserNotices(taken, table),
        isHelper: taken.isHelper,
      }));
      const notices = found.flatMap(({ own, within, comments }) => [own, ...within, ...comments]);
      const listed = found
        .filter(({ isHelper }) => !isHelper)
        .map(({ own, within }): ListedPackage => ({
          name: own.name,
          version: own.version ?? '',
          within: within.map(({ name, licence }) => ({ name, licence })),
        }));
      const emit = (fileName: string, source: string): void =>
        void this.emitFile({ type: 'asset', fileName, source });
      emit(noticesName, noticesText(introduction, notices));
      emit(packagesName, JSON.stringify(listed));
    },
  };
}

/** The modules and the other files of a bundle. Stylesheets are modules, too. */
function idsIn(bundle: Rolldown.OutputBundle, web: string): readonly string[] {
  return Object.values(bundle).flatMap((output) =>
    output.type === 'chunk'
      ? Object.keys(output.modules)
      : output.originalFileNames.map((name) => resolve(web, name)),
  );
}
