import type { LicenceTable } from './licence-table.ts';
import type { Notice } from './notice.ts';
import { packageNotice, withoutLicence } from './package-notice.ts';
import type { TakenPackage } from './taken-packages.ts';

/** The notices of one package that the bundler took. */
export interface BrowserNotices {
  readonly own: Notice;
  /** Of the packages within its bundle. */
  readonly within: readonly Notice[];
  /** The comments of licences that were cut out of its bundle, if there are any. */
  readonly comments: readonly Notice[];
}

/**
 * The notices of a package that the bundler took.
 *
 * @throws when its licence, or that of a package within its bundle, is not known.
 */
export function browserNotices(taken: TakenPackage, table: LicenceTable): BrowserNotices {
  const { folder, comments } = taken;
  const own = packageNotice(folder, table);
  const within = taken.within.map((name) => {
    const listed = table.find(name);
    if (listed === undefined) throw withoutLicence(`${name} within ${own.name}`);
    return { name, within: own.name, ...listed };
  });
  const cut = { ...own, licence: 'comments that were cut out of its bundle', text: comments };
  return { own, within, comments: comments === '' ? [] : [cut] };
}
