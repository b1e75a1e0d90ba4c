import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PlaceNotes } from '../../contract/place.ts';
import { withFaults } from './sqlite-fault.ts';

/** Small texts beside a database. Each note is a file of JSON in the directory, which is replaced atomically. */
export class DirectoryNotes implements PlaceNotes {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(name: string): Promise<string | undefined> {
    return this.readNow(name);
  }

  async write(name: string, text: string): Promise<void> {
    const path = this.#pathOf(name);
    const unfinished = `${path}.${process.pid}.unfinished`;
    withFaults(path, () => {
      writeFileSync(unfinished, text, { mode: 0o600 });
      renameSync(unfinished, path);
    });
  }

  /** @throws StoreFault `unavailable` */
  readNow(name: string): string | undefined {
    const path = this.#pathOf(name);
    return withFaults(path, () => {
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    });
  }

  /** @throws StoreFault `unavailable` */
  remove(name: string): void {
    const path = this.#pathOf(name);
    withFaults(path, () => rmSync(path, { force: true }));
  }

  #pathOf(name: string): string {
    return join(this.#directory, `${name}.json`);
  }
}
