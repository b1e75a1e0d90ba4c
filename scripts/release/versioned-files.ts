import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const perlModule = 'clients/perl/lib/Finance/Quote/Pizarra.pm';

/** Where each file has the version of the project. The clients have the version of the service. */
const places: Readonly<Record<string, RegExp>> = {
  'package.json': /(?<=^ {2}"version": ")[^"]+/m,
  'package-lock.json': /(?<="name": "pizarra",\s+"version": ")[^"]+/g,
  'clients/typescript/package.json': /(?<=^ {2}"version": ")[^"]+/m,
  'clients/python/pyproject.toml': /(?<=^version = ")[^"]+/m,
  'clients/python/src/pizarra_client/__init__.py': /(?<=^__version__ = ")[^"]+/m,
  [perlModule]: /(?<=^our \$VERSION = ')[^']+/m,
};

/**
 * Writes a version into every file that has the version of the project.
 *
 * @throws when a file has none where it is expected.
 */
export async function setVersion(project: string, version: string): Promise<void> {
  for (const [name, place] of Object.entries(places)) {
    const path = join(project, name);
    if (!existsSync(path)) continue;
    const text = await readFile(path, 'utf8');
    if (text.search(place) === -1) throw new Error(`${name} has no version where it is expected.`);
    // A version of Perl has only numbers. The name of its archive says that it is a pre-release.
    const written = name === perlModule ? version.replace(/-.*/, '') : version;
    await writeFile(path, text.replace(place, written));
  }
}
