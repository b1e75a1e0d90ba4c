import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import { fine, wrong, type Finding } from '../../lib/reports/finding.ts';

/** Maximum difference between this clock and those of the sources, in milliseconds. */
const toleranceMs = 5 * 60_000;

const installedFile = fileURLToPath(new URL('../../../package.json', import.meta.url));

/**
 * Compares the clock of the machine with instants that cannot be in the future: the installation of
 * this program, and the time of the most recent stored price.
 */
export async function checkClock(quotes: readonly StoredQuote[], now: number): Promise<Finding> {
  const { mtimeMs } = await stat(installedFile);
  const youngest = quotes.reduce(
    (latest, { session }) => Math.max(latest, session.asOf ?? latest),
    -Infinity,
  );
  const says = `The clock shows ${new Date(now).toISOString()}`;
  const todo = 'Set the clock, and enable time synchronisation (chrony, systemd-timesyncd).';
  if (mtimeMs > now + toleranceMs) {
    return wrong('clock', `${says}, but this program was installed later.`, { todo });
  }
  if (youngest > now + toleranceMs) {
    const instant = new Date(youngest).toISOString();
    return wrong('clock', `${says}, but a price of ${instant} is stored.`, { todo });
  }
  return fine('clock', `${says}.`);
}
