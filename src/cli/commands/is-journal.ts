import { fstatSync } from 'node:fs';

/**
 * Whether a descriptor writes to the journal of systemd, which stores the text and shows it to other
 * users. `JOURNAL_STREAM` has the device and the inode of the journal's socket (systemd.exec(5)).
 */
export function isJournal(descriptor: number, environment: NodeJS.ProcessEnv): boolean {
  const { JOURNAL_STREAM: journal } = environment;
  if (journal === undefined) return false;
  const { dev, ino } = fstatSync(descriptor);
  return journal === `${dev}:${ino}`;
}
