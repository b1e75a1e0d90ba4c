import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readPlayground, type PlaygroundFile } from '../../http/content/playground-file.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';

/** The build of the playground, by `npm ci` and `npm start`. Without it the service serves no pages. */
const playgroundDirectory = fileURLToPath(new URL('../../../web/dist', import.meta.url));

const programFolder = fileURLToPath(new URL('../../../', import.meta.url));

const contractFile = new URL('../../../contract/openapi.json', import.meta.url);

/** The files of the program that the public listener serves. */
export interface ListenerFiles {
  /** Gives the OpenAPI document. Parses it at the first call. */
  readonly openapi: () => Readonly<Record<string, unknown>>;
  readonly playground: readonly PlaygroundFile[];
}

/**
 * Reads the files. Each serving process does this once.
 *
 * @throws OperatorFault when this user may not read them.
 */
export async function readListenerFiles(): Promise<ListenerFiles> {
  try {
    const text = await readFile(contractFile, 'utf8');
    let parsed: Record<string, unknown> | undefined;
    const openapi = (): Record<string, unknown> =>
      (parsed ??= JSON.parse(text) as Record<string, unknown>);
    return { openapi, playground: await readPlayground(playgroundDirectory) };
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES') throw error;
    throw new OperatorFault(
      `Cannot read ${path}: the program was installed with a umask that denies access to other users. As the owner of the folder, run: chmod -R go+rX ${programFolder}`,
      { cause: error },
    );
  }
}
