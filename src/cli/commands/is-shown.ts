import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Whether a text that is written to a descriptor is shown and stored nowhere else: to a terminal, or to another program,
 * such as that of a container, whose log the operator reads. A file would keep it, and `/dev/null` would lose it.
 */
export function isShown(descriptor: number, environment: NodeJS.ProcessEnv): boolean {
  const stats = fstatSync(descriptor);
  if (stats.isCharacterDevice()) return isatty(descriptor);
  return !stats.isFile() && !isJournal(descriptor, environment);
}

/**
 * Whether a descriptor writes to the journal of systemd, which stores the text and shows it to other
 * users. `JOURNAL_STREAM` has the device and the inode of the journal's socket (systemd.exec(5)).
 */
function isJournal(descriptor: number, environment: NodeJS.ProcessEnv): boolean {
  const { JOURNAL_STREAM: journal } = environment;
  if (journal === undefined) return false;
  const { dev, ino } = fstatSync(descriptor);
  return journal === `${dev}:${ino}`;
}
