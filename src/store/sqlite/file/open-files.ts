import { statSync } from 'node:fs';

import { StoreFault } from '../../contract/store-fault.ts';

/**
 * The files of a database while a connection has them open. SQLite does not notice that one of them is deleted or
 * replaced: it writes on into a file that nobody finds any more, so what it has stored is lost with the process.
 */
export class OpenFiles {
  readonly #files: Map<string, number | undefined>;

  /** @param path of a database in WAL mode. The file beside it may not exist yet. */
  constructor(path: string) {
    this.#files = new Map([path, `${path}-wal`].map((file) => [file, inodeOf(file)]));
  }

  /** @throws StoreFault `unavailable` when a file is not the one that is open. */
  verify(): void {
    for (const [file, known] of this.#files) {
      const found = inodeOf(file);
      if (known === undefined) this.#files.set(file, found);
      else if (found !== known) {
        const what = found === undefined ? 'was deleted' : 'was replaced by another file';
        throw new StoreFault(
          'unavailable',
          `${file} ${what} while it is in use, so nothing more can be stored. Restart the service: it continues from what the files have.`,
        );
      }
    }
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}
