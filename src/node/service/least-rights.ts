import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPlace } from '../place/open-place.ts';
import type { ConfigFile } from '../../config/settings/read-config.ts';
import { readFeeds } from '../../config/feeds/read-feeds.ts';
import { requireUniverse } from '../market/require-universe.ts';
import type { Settings } from '../../config/settings/settings.ts';

/** The directory of compiled code, within the data directory. */
const compileCacheName = 'compiled';

const projectDirectory = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Replaces this process, under the same process id, by one within Node's permission model. The service
 * then may only read the program, the universe and the configuration, write to the data directory, and
 * use the network. Returns at once in a process that is within the model. Otherwise it never returns.
 *
 * This is a second line of defence: the model does not apply to native code, and `node:sqlite` is
 * native. docs/deploying.md describes its limits, and the restrictions of the operating system.
 *
 * @throws OperatorFault and StoreFault, as a start does.
 */
export async function takeLeastRights({
  settings,
  file,
}: {
  readonly settings: Settings;
  readonly file: ConfigFile | undefined;
}): Promise<void> {
  if (process.permission !== undefined) return;
  if (process.execve === undefined) throw new Error('this Node has no process.execve');
  await using place = openPlace(settings.store);
  // Within the model only SQLite can sync files. A new directory and its files are created before.
  if (place.directory !== undefined)
    await (await place.open({ mode: 'create' }))[Symbol.asyncDispose]();
  const program = process.argv[1] ?? '';
  const flags = [
    ...(await permissionFlags({ settings, file, directory: place.directory })),
    program,
    ...process.argv.slice(2),
  ];
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags], {
    ...environment,
    // Node caches compiled code only where the process may write. This process, which has more rights,
    // never loads that cache.
    ...(place.directory === undefined
      ? {}
      : { NODE_COMPILE_CACHE: resolve(place.directory, compileCacheName) }),
  });
}

/** The flags that permit exactly what the service needs. */
async function permissionFlags({
  settings,
  file,
  directory: dataDirectory,
}: {
  readonly settings: Settings;
  readonly file: ConfigFile | undefined;
  /** The data directory. Undefined when the store has none. */
  readonly directory: string | undefined;
}): Promise<readonly string[]> {
  const universe = await requireUniverse(settings.universe);
  const { feeds, directory } = readFeeds({ settings, file }, universe);
  const hasExpressions = feeds.some(({ type }) => type.startsProcesses === true);
  const feedFiles = feeds.flatMap(({ type, config }) => [
    ...(type.files?.(config) ?? []),
    ...(config.ca === undefined ? [] : [config.ca]),
  ]);
  const writable = dataDirectory === undefined ? [] : [dataDirectory];
  const readable = [
    projectDirectory,
    ...writable,
    settings.universe,
    ...(file === undefined ? [] : [file.name]),
    ...feedFiles.map((path) => resolve(directory, path)),
    ...certificateDirectories(settings),
    // The metrics of the process.
    '/proc/self',
  ];
  return [
    '--permission',
    '--allow-net',
    // The threads that write to the database and check it.
    '--allow-worker',
    // The worker processes and those that evaluate the expressions of feeds. They get at most these rights.
    ...(settings.workers === 1 && !hasExpressions ? [] : ['--allow-child-process']),
    ...withTargets(readable).map((path) => `--allow-fs-read=${path}`),
    ...withTargets(writable).map((path) => `--allow-fs-write=${path}`),
    // Node warns about these flags at every start. docs/deploying.md explains them.
    '--disable-warning=PERM0006',
    '--disable-warning=PERM0002',
    '--disable-warning=ExperimentalWarning',
  ];
}

/** The directories of the certificate files and of the targets of their links. A renewal may replace both. */
function certificateDirectories(settings: Settings): readonly string[] {
  const { tlsCert, tlsKey, privateTlsCert, privateTlsKey } = settings;
  const files = [tlsCert, tlsKey, privateTlsCert, privateTlsKey].filter((file) => file !== '');
  return withTargets(files).map((file) => dirname(file));
}

/** The paths as configured and, for those with links, their targets. */
function withTargets(paths: readonly string[]): readonly string[] {
  const absolute = paths.map((path) => resolve(path));
  const targets = absolute.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  return [...new Set([...absolute, ...targets])];
}
