import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

const folder = join(import.meta.dirname, '../../../deploy/kubernetes');

/** One object of a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

/** The files of `deploy/kubernetes`. */
export const manifestFiles: readonly string[] = readdirSync(folder).toSorted();

/** The objects of a file, as kubectl reads them: YAML 1.1, in which a number with a leading 0 is octal. */
export function manifestsOf(file: string): readonly Manifest[] {
  const documents = parseAllDocuments(readFileSync(join(folder, file), 'utf8'), { version: '1.1' });
  return documents.map((document) => {
    const [fault] = document.errors;
    if (fault !== undefined) throw new Error(`${file}: ${fault.message}`);
    return document.toJS() as Manifest;
  });
}
