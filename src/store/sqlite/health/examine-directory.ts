import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';

import { writeObstacle } from '../../../lib/files/write-obstacle.ts';
import { fine, warning, wrong, type Finding } from '../../../lib/reports/finding.ts';
import type { PlaceFindings } from '../../contract/place.ts';

const mebibyte = 1024 * 1024;

/** Free space below which writing will soon fail, in bytes. */
const freeBytesWrong = 256 * mebibyte;
/** Free space below which the operator gets a warning, in bytes. */
const freeBytesWarning = 1024 * mebibyte;

/** File systems whose locks are not reliable enough for a database, by the magic number of `statfs`. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
]);

/** Checks the data directory: that it exists, its permissions, and the free space. It changes nothing. */
export async function examineDirectory(directory: string): Promise<PlaceFindings> {
  const obstacle = await findObstacle(directory);
  if (obstacle !== undefined) return { findings: [obstacle], isReachable: false };
  const findings = [await checkRights(directory), await checkRoom(directory)];
  return { findings, isReachable: true };
}

/** Why this user cannot read and write the directory. */
async function findObstacle(directory: string): Promise<Finding | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) {
      return wrong('data', `${directory} is a file, not a directory.`, { todo: 'Set --store.' });
    }
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return aboutAbsent(directory);
    if (code !== 'EROFS') return aboutClosed(directory);
    return wrong(
      'data',
      `${directory} is on a read-only file system. Its content was not checked.`,
      {
        todo: 'Mount the file system for writing. One that was turns read-only when its disk fails: "dmesg" says why.',
      },
    );
  }
}

function aboutAbsent(directory: string): Finding {
  const obstacle = writeObstacle(directory);
  if (obstacle !== undefined) {
    return wrong(
      'data',
      `The directory ${directory} does not exist and cannot be created: ${obstacle.reason}.`,
      { todo: 'Correct that, or set --store to another directory.' },
    );
  }
  return warning('data', `The directory ${directory} does not exist yet.`, {
    todo: `"pizarra serve" and "pizarra import" create it. If another directory is meant, set --store.`,
  });
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
