import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { ConfigFile } from '../settings/read-config.ts';
import { readFeeds } from '../site/read-feeds.ts';
import { requireUniverse } from '../site/require-universe.ts';
import type { Settings } from '../settings/settings.ts';

const projectDirectory = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Starts this very process anew, in place and under the same id, with no more rights than Node's
 * permission model lets a service do with: it reads the program, its universe and its configuration,
 * writes into the data directory, and starts no other program. Comes back at once where that has been
 * done, and otherwise never.
 *
 * A second wall and not the first: the model does not hold what native code does, `node:sqlite`
 * included. docs/deploying.md says what it is worth, and how the system does the rest.
 *
 * @throws OperatorFault and StoreFault as a start does.
 */
export async function takeLeastRights({
  settings,
  file,
}: {
  readonly settings: Settings;
  readonly file: ConfigFile | undefined;
}): Promise<void> {
  if (process.permission !== undefined) return;
  if (process.execve === undefined) throw new Error('this Node cannot start itself anew');
  // Within the model only SQLite can sync, so a new directory and its files are created before.
  await createSqliteStore(settings.data);
  const program = process.argv[1] ?? '';
  const flags = [...(await permissionFlags({ settings, file })), program, ...process.argv.slice(2)];
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags], process.env);
}

/** The flags that give exactly what a service needs. */
async function permissionFlags({
  settings,
  file,
}: {
  readonly settings: Settings;
  readonly file: ConfigFile | undefined;
}): Promise<readonly string[]> {
  const { feeds, directory } = readFeeds(file, await requireUniverse(settings.universe));
  const feedFiles = feeds.flatMap(({ type, config }) => type.files?.(config) ?? []);
  const readable = [
    projectDirectory,
    settings.data,
    settings.universe,
    ...(file === undefined ? [] : [file.name]),
    ...feedFiles.map((path) => resolve(directory, path)),
    ...certificateDirectories(settings),
    // What the process says of itself in the metrics.
    '/proc/self',
  ];
  return [
    '--permission',
    '--allow-net',
    // The thread that writes to the database.
    '--allow-worker',
    // The other processes that answer: this very program, within the same rights.
    ...(settings.workers === 1 ? [] : ['--allow-child-process']),
    ...withTargets(readable).map((path) => `--allow-fs-read=${path}`),
    ...withTargets([settings.data]).map((path) => `--allow-fs-write=${path}`),
    // What Node says of these flags at every start is said in docs/deploying.md, once.
    '--disable-warning=PERM0006',
    '--disable-warning=PERM0002',
    '--disable-warning=ExperimentalWarning',
  ];
}

/** Where certificates are and come from: what renews them replaces links and files as it likes. */
function certificateDirectories({ tlsCert, tlsKey }: Settings): readonly string[] {
  const files = [tlsCert, tlsKey].filter((file) => file !== '');
  return withTargets(files).map((file) => dirname(file));
}

/** Paths as they are written and, where they go through links, as they really are. */
function withTargets(paths: readonly string[]): readonly string[] {
  const absolute = paths.map((path) => resolve(path));
  const targets = absolute.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  return [...new Set([...absolute, ...targets])];
}
