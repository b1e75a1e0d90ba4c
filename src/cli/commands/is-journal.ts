import { fstatSync } from 'node:fs';

/**
 * Whether a descriptor writes to the journal of systemd, which keeps what it gets and shows it to
 * others. systemd.exec(5): `JOURNAL_STREAM` holds the device and inode of the journal's end.
 */
export function isJournal(descriptor: number, environment: NodeJS.ProcessEnv): boolean {
  const { JOURNAL_STREAM: journal } = environment;
  if (journal === undefined) return false;
  const { dev, ino } = fstatSync(descriptor);
  return journal === `${dev}:${ino}`;
}
