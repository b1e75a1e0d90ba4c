import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { LicenceTable } from './licence-table.ts';
import type { Notice } from './notice.ts';

/** The files of a package with its licence and its notices. */
const noticeFile = /^(?:licen[cs]es?|copying|notice)(?:[.-](?:md|txt|mit))*$/i;

/**
 * The notice of an installed package: the table decides, then the files of the package.
 *
 * @throws when neither has its licence.
 */
export function packageNotice(folder: string, table: LicenceTable): Notice {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { readonly name: string; readonly version: string; readonly license?: string };
  const listed = table.find(name);
  if (listed !== undefined) return { name, version, ...listed };
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && noticeFile.test(entry.name))
    .map((entry) => entry.name)
    .toSorted();
  if (files.length === 0 || license === undefined) throw withoutLicence(name);
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  return { name, version, licence: license, text };
}

/** The fault of a package whose licence is not known. */
export function withoutLicence(name: string): Error {
  return new Error(
    `The package ${name} has no licence file. Add its licence to web/licences/packages.yaml.`,
  );
}
