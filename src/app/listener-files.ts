import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readPlayground } from '../http/playground-file.ts';
import type { PlaygroundFile } from '../http/playground-file.ts';

/** Where `npm run build` leaves the playground; without it the service runs all the same. */
const playgroundDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url));

const contractFile = new URL('../../contract/openapi.yaml', import.meta.url);

/** What the public listener serves as it lies in the program's own folder. */
export interface ListenerFiles {
  /** The OpenAPI document, parsed. */
  readonly openapi: Readonly<Record<string, unknown>>;
  readonly playground: readonly PlaygroundFile[];
}

/** Reads them, once for each process that serves. */
export async function readListenerFiles(): Promise<ListenerFiles> {
  const openapi = parse(await readFile(contractFile, 'utf8')) as Record<string, unknown>;
  return { openapi, playground: await readPlayground(playgroundDirectory) };
}
