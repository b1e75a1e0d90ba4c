import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { inspectSqliteStore } from '../../store/sqlite/inspect.ts';
import type { StoreInspection } from '../../store/sqlite/inspect.ts';
import { StoreFault } from '../../store/store-fault.ts';
import { fine, warning, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

const mebibyte = 1024 * 1024;

/** Below the one, writing will soon fail; below the other, it is time to act. */
const freeBytesWrong = 256 * mebibyte;
const freeBytesWarning = 1024 * mebibyte;

/** A log that has grown beyond this is kept from being folded in by a reader that never ends. */
const logBytesWarning = 256 * mebibyte;

/** The file systems without locks on which a database can rely, by the magic number of `statfs`. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
]);

/** Whether there is a data directory, and whether this user may look into it. */
export type DirectoryState = 'absent' | 'closed' | 'open';

/** Looks for the data directory. */
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

/** Checks the data directory: that it is one, whose it is, and how much room there is. */
export async function checkDirectory(
  directory: string,
  state: DirectoryState,
): Promise<readonly Finding[]> {
  switch (state) {
    case 'absent':
      return [
        warning('data', `There is no directory ${directory} yet.`, {
          todo: '"pizarra serve" and "pizarra import" make it; or name the right one with --data.',
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
  const says = `User ${process.getuid?.() ?? '?'} may not read and write ${directory}${whose}; nothing in it was looked at.`;
  const command = owner === undefined ? 'sudo -u USER' : `sudo -u '#${owner.uid}'`;
  return wrong('data', says, {
    todo: `Run it as the user of the service: ${command} pizarra doctor.`,
  });
}

async function checkRights(directory: string): Promise<Finding> {
  const { mode } = await stat(directory);
  if ((mode & 0o077) !== 0) {
    return warning('data', `Others than its owner may look into ${directory}.`, {
      todo: `chmod 700 ${directory}`,
    });
  }
  return fine('data', `${directory} is there, for its owner alone.`);
}

async function checkRoom(directory: string): Promise<Finding> {
  const { type, bavail, bsize } = await statfs(directory);
  const network = networkFileSystems.get(type);
  if (network !== undefined) {
    return wrong('disk', `${directory} is on ${network}, whose locks a database cannot rely on.`, {
      todo: 'Move the data to a disk of this machine.',
    });
  }
  const free = bavail * bsize;
  const says = `${Math.floor(free / mebibyte)} MiB are free.`;
  const todo = 'Make room, or move the data to a larger disk; without room no update is accepted.';
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
    return warning('database', `Whole (${size}), of schema ${schema} of ${newestSchema}.`, {
      todo: 'Make a backup; the next start of the service brings the schema up to date.',
    });
  }
  if (logBytes > logBytesWarning) {
    return warning('database', `Whole (${size}), with a log of ${logBytes / mebibyte} MiB.`, {
      todo: 'Look for a program that holds the database open for reading; a restart folds the log in.',
    });
  }
  return fine('database', `Whole: ${size}, schema ${schema}.`);
}

const restoreAdvice =
  'Stop the service, move the files pizarra.db* away, and "pizarra restore" the last backup.';

function aboutFault({ code, message }: StoreFault): Finding {
  switch (code) {
    case 'absent':
      return warning('database', 'There is none yet.', {
        todo: '"pizarra serve" or "pizarra import" makes one; "pizarra restore" one of a backup.',
      });
    case 'corrupt':
      return wrong('database', `${message}.`, { todo: restoreAdvice });
    case 'schema-newer':
      return wrong('database', `${message}.`, { todo: 'Run the newer version.' });
    case 'schema-older':
    case 'unavailable':
    case 'busy':
    case 'conflict':
      return wrong('database', `${message}.`, {
        todo: 'Look at who owns the files of the data directory, at the disk, and at the log of the service.',
      });
  }
}
