import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readPlayground } from '../../http/content/playground-file.ts';
import type { PlaygroundFile } from '../../http/content/playground-file.ts';
import { OperatorFault } from '../operator-fault.ts';

/** Where `npm ci` and `npm start` build the playground. Without it, the service runs without pages. */
const playgroundDirectory = fileURLToPath(new URL('../../../web/dist', import.meta.url));

const programFolder = fileURLToPath(new URL('../../../', import.meta.url));

const contractFile = new URL('../../../contract/openapi.yaml', import.meta.url);

/** What the public listener serves as it lies in the program's own folder. */
export interface ListenerFiles {
  /** The OpenAPI document, parsed. */
  readonly openapi: Readonly<Record<string, unknown>>;
  readonly playground: readonly PlaygroundFile[];
}

/**
 * Reads them, once in each process that serves.
 *
 * @throws OperatorFault where this user may not read them.
 */
export async function readListenerFiles(): Promise<ListenerFiles> {
  try {
    const openapi = parse(await readFile(contractFile, 'utf8')) as Record<string, unknown>;
    return { openapi, playground: await readPlayground(playgroundDirectory) };
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES') throw error;
    throw new OperatorFault(
      `This user cannot read ${path}: the program was installed with a umask that keeps other users out. As the owner of the program's folder, run: chmod -R go+rX ${programFolder}`,
      { cause: error },
    );
  }
}
