import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { StoredQuote } from '../../domain/stored-quote.ts';
import { fine, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

/** Sources' clocks and ours differ a little, always. */
const toleranceMs = 5 * 60_000;

const installedFile = fileURLToPath(new URL('../../../package.json', import.meta.url));

/**
 * Checks the machine's clock against what cannot be later than now: the installation of this program
 * and the youngest price that was accepted.
 */
export async function checkClock(quotes: readonly StoredQuote[], now: number): Promise<Finding> {
  const { mtimeMs } = await stat(installedFile);
  const youngest = quotes.reduce(
    (latest, { session }) => Math.max(latest, session.asOf ?? latest),
    -Infinity,
  );
  const says = `The clock says ${new Date(now).toISOString()}`;
  const todo = 'Set the clock, and let it be kept (chrony, systemd-timesyncd).';
  if (mtimeMs > now + toleranceMs) {
    return wrong('clock', `${says}, which is before this program was installed.`, { todo });
  }
  if (youngest > now + toleranceMs) {
    const instant = new Date(youngest).toISOString();
    return wrong('clock', `${says}, and a price of ${instant} is stored.`, { todo });
  }
  return fine('clock', `${says}.`);
}
