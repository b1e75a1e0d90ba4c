/** The file with the notices, in the playground and in the package. */
export const noticesName = 'THIRD-PARTY-NOTICES.txt';

/** The file of the built playground that lists its packages, for the bill of materials. It is not served. */
export const packagesName = '.packages.json';

/** A package in the list. */
export interface ListedPackage {
  readonly name: string;
  readonly version: string;
  /** The packages within its own bundle. */
  readonly within: readonly { readonly name: string; readonly licence: string }[];
}
