import { createHash } from 'node:crypto';
import { resolve } from 'node:path';

import { openPlace } from '../../../src/node/place/open-place.ts';
import type { OpenMode } from '../../../src/store/contract/place.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/store/contract/store.ts';

/**
 * Where the tests of this process keep their data: each in a data directory of its own, or, when this variable
 * has the URL of a PostgreSQL database, in a schema of that database (`npm run test:postgres`).
 */
// The program refuses an unknown variable whose name starts with PIZARRA_.
export const postgresVariable = 'TEST_POSTGRES';

const database = process.env[postgresVariable];

/** Whether the data of the tests are in PostgreSQL. */
export const isInPostgres = database !== undefined;

/**
 * The value of the setting `store` for a data directory of a test: the directory itself, or the schema that
 * stands for it. The same directory has the same schema in every process of a run.
 */
export function storeAt(directory: string): string {
  if (database === undefined) return directory;
  const url = new URL(database);
  const digest = createHash('sha256').update(resolve(directory)).digest('hex');
  url.searchParams.set('schema', `t${digest.slice(0, 20)}`);
  return url.href;
}

/** The arguments of the program, with the test's place in the place of the directory that they name. */
export function storeInArgs(
  args: readonly string[],
  cwd: string = process.cwd(),
): readonly string[] {
  if (database === undefined) return args;
  return args.map((arg, index) =>
    ['--store', '--store'].includes(args[index - 1] ?? '') ? storeAt(resolve(cwd, arg)) : arg,
  );
}

/** Opens the store of a data directory of a test. It is created if need be. */
export async function openTestStore(
  directory: string,
  {
    writer,
    mode = 'create',
  }: { readonly writer?: 'inline' | 'worker'; readonly mode?: OpenMode } = {},
): Promise<Store> {
  if (database === undefined) {
    return openSqliteStore({ directory, mode, ...(writer === undefined ? {} : { writer }) });
  }
  await using place = openPlace(storeAt(directory));
  return await place.open({ mode });
}
