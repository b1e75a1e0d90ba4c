import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import type { Notice } from './notice.ts';

const folder = join(import.meta.dirname, '../../licences');

/** The licence and the copyright notice of each package in `web/licences/packages.yaml`, by name. */
export class LicenceTable {
  readonly #entries: ReadonlyMap<string, Pick<Notice, 'licence' | 'copyright'>>;

  constructor() {
    const table = parse(readFileSync(join(folder, 'packages.yaml'), 'utf8')) as Readonly<
      Record<string, Readonly<Record<string, string>>>
    >;
    const entries = Object.entries(table).flatMap(([licence, packages]) =>
      Object.entries(packages).map(([name, copyright]) => [name, { licence, copyright }] as const),
    );
    this.#entries = new Map(entries);
  }

  /** The names of all packages in the table. */
  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Undefined for a package that is not in the table. */
  find(name: string): Pick<Notice, 'licence' | 'copyright' | 'text'> | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined ? undefined : { ...entry, text: textOf(entry.licence) };
  }
}

/** The text of a licence, or of several that apply together. */
function textOf(licence: string): string {
  const parts = licence.split(' AND ').map((id) => join(folder, 'texts', `${id}.txt`));
  return parts.map((path) => readFileSync(path, 'utf8')).join('\n');
}
