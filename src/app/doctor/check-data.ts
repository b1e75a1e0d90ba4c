import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { isServed, inspectSqliteStore } from '../../store/sqlite/inspect.ts';
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

/** Whether there is a data directory at all. */
export async function hasDirectory(directory: string): Promise<boolean> {
  return stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Checks the data directory: that it is one, whose it is, and how much room there is. */
export async function checkDirectory(directory: string): Promise<readonly Finding[]> {
  if (!(await hasDirectory(directory))) {
    return [
      warning('data', `There is no directory ${directory} yet.`, {
        todo: '"pizarra serve" and "pizarra import" make it; or name the right one with --data.',
      }),
    ];
  }
  return [await checkRights(directory), await checkRoom(directory)];
}

/** Whether this user can read and write the data directory. */
export async function canUseDirectory(directory: string): Promise<boolean> {
  return access(directory, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function checkRights(directory: string): Promise<Finding> {
  if (!(await canUseDirectory(directory))) {
    return wrong('data', `This user cannot read and write ${directory}.`, {
      todo: 'Run as the user of the service: runuser -u USER -- pizarra doctor. Nothing else was examined.',
    });
  }
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
    return { finding: aboutFault(fault, directory) };
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

function aboutFault({ code, message }: StoreFault, directory: string): Finding {
  switch (code) {
    case 'corrupt':
      return wrong('database', `${message}.`, { todo: restoreAdvice });
    case 'schema-newer':
      return wrong('database', `${message}.`, { todo: 'Run the newer version.' });
    case 'unavailable':
    case 'busy':
    case 'conflict':
      return isServed(directory)
        ? wrong('database', `${message}.`, { todo: 'Look at the log of the service.' })
        : warning('database', `${message}.`, {
            todo: '"pizarra serve" or "pizarra import" makes one; "pizarra restore" one of a backup.',
          });
  }
}
