import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { inspectSqliteStore } from '../../store/sqlite/guard/inspect.ts';
import type { StoreInspection } from '../../store/sqlite/guard/inspect.ts';
import { StoreFault } from '../../store/store-fault.ts';
import { flagName } from '../settings/settings.ts';
import { fine, warning, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

const mebibyte = 1024 * 1024;

/** Free space below which writing will soon fail, in bytes. */
const freeBytesWrong = 256 * mebibyte;
/** Free space below which the operator gets a warning, in bytes. */
const freeBytesWarning = 1024 * mebibyte;

/** Size of the write-ahead log, in bytes, above which a permanent reader probably prevents checkpoints. */
const logBytesWarning = 256 * mebibyte;

/** File systems whose locks are not reliable enough for a database, by the magic number of `statfs`. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
]);

/** Whether the data directory exists, and whether this user may read and write it. */
export type DirectoryState = 'absent' | 'closed' | 'open';

/** Determines the state of the data directory. */
export async function directoryState(directory: string): Promise<DirectoryState> {
  try {
    if (!(await stat(directory)).isDirectory()) return 'absent';
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return 'open';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'closed';
  }
}

/** Checks the data directory: that it exists, its permissions, and the free space. */
export async function checkDirectory(
  directory: string,
  state: DirectoryState,
): Promise<readonly Finding[]> {
  switch (state) {
    case 'absent':
      return [
        warning('data', `The directory ${directory} does not exist yet.`, {
          todo: `"pizarra serve" and "pizarra import" create it. If another directory is meant, set ${flagName('data')}.`,
        }),
      ];
    case 'closed':
      return [await aboutClosed(directory)];
    case 'open':
      return [await checkRights(directory), await checkRoom(directory)];
  }
}

async function aboutClosed(directory: string): Promise<Finding> {
  const owner = await stat(directory).catch(() => undefined);
  const whose = owner === undefined ? '' : `, which belongs to user ${owner.uid}`;
  const says = `User ${process.getuid?.() ?? '?'} may not read and write ${directory}${whose}. Its content was not checked.`;
  const command = owner === undefined ? 'sudo -u USER' : `sudo -u '#${owner.uid}'`;
  return wrong('data', says, {
    todo: `Run the doctor as the user of the service: ${command} pizarra doctor.`,
  });
}

async function checkRights(directory: string): Promise<Finding> {
  const { mode } = await stat(directory);
  if ((mode & 0o077) !== 0) {
    return warning('data', `Other users may read ${directory}.`, {
      todo: `chmod 700 ${directory}`,
    });
  }
  return fine('data', `${directory} exists, and only its owner may access it.`);
}

async function checkRoom(directory: string): Promise<Finding> {
  const { type, bavail, bsize } = await statfs(directory);
  const network = networkFileSystems.get(type);
  if (network !== undefined) {
    return wrong(
      'disk',
      `${directory} is on ${network}, whose locks are not reliable enough for a database.`,
      {
        todo: 'Move the data to a disk of this machine.',
      },
    );
  }
  const free = bavail * bsize;
  const says = `${Math.floor(free / mebibyte)} MiB are free.`;
  const todo =
    'Free disk space, or move the data to a larger disk. Without free space no update is accepted.';
  if (free < freeBytesWrong) return wrong('disk', says, { todo });
  return free < freeBytesWarning ? warning('disk', says, { todo }) : fine('disk', says);
}

/** Reads the whole database and checks it. */
export function checkDatabase(directory: string): {
  readonly finding: Finding;
  readonly store?: StoreInspection;
} {
  try {
    const store = inspectSqliteStore(directory);
    return { finding: aboutDatabase(store), store };
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault;
    return { finding: aboutFault(fault) };
  }
}

function aboutDatabase({ bytes, logBytes, schema, newestSchema, rows }: StoreInspection): Finding {
  const { closes = 0, quotes = 0 } = rows;
  const size = `${(bytes / mebibyte).toFixed(1)} MiB, ${closes} closes, ${quotes} quotes`;
  if (schema < newestSchema) {
    return warning('database', `No damage found (${size}), schema ${schema} of ${newestSchema}.`, {
      todo: 'Make a backup. The next start of the service upgrades the schema.',
    });
  }
  if (logBytes > logBytesWarning) {
    return warning(
      'database',
      `No damage found (${size}), with a write-ahead log of ${Math.round(logBytes / mebibyte)} MiB.`,
      {
        todo: 'Find the program that keeps the database open for reading. A restart of the service empties the log.',
      },
    );
  }
  return fine('database', `No damage found: ${size}, schema ${schema}.`);
}

const restoreAdvice =
  'Stop the service, move the files pizarra.db* away, and "pizarra restore" the last backup.';

function aboutFault({ code, message }: StoreFault): Finding {
  switch (code) {
    case 'absent':
      return warning('database', 'No database exists yet.', {
        todo: '"pizarra serve" or "pizarra import" creates one. "pizarra restore" creates one from a backup.',
      });
    case 'corrupt':
      return wrong('database', `${message}.`, { todo: restoreAdvice });
    case 'schema-newer':
      return wrong('database', `${message}.`, { todo: 'Run the newer version of Pizarra.' });
    case 'schema-older':
    case 'unavailable':
    case 'busy':
    case 'conflict':
    case 'fenced':
    case 'unsupported':
      return wrong('database', `${message}.`, {
        todo: 'Check the owner of the files in the data directory, the disk, and the log of the service.',
      });
  }
}
