import { msPerDay } from '../../domain/calendar/plain-date.ts';
import type { StoreInspection, StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { fine, warning, wrong, warningIfAny, type Finding } from '../../lib/reports/finding.ts';
import { isInForce } from '../../domain/quotes/set-aside-base.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import { describeSetAside, remedyFor } from '../../pipeline/live/report-judged.ts';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { keyStateAt, type ApiKeyRecord } from '../../domain/access/api-key.ts';

const mebibyte = 1024 * 1024;

/** Size of the write-ahead log, in bytes, above which a permanent reader probably prevents checkpoints. */
const logBytesWarning = 256 * mebibyte;

/** Reads the store and checks it. */
export async function checkDatabase(
  place: StorePlace,
): Promise<{ readonly finding: Finding; readonly store?: StoreInspection }> {
  try {
    const store = await place.inspect();
    return { finding: aboutDatabase(store), store };
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault;
    return { finding: aboutFault(place, fault) };
  }
}

function aboutDatabase({ bytes, logBytes, schema, rows }: StoreInspection): Finding {
  const { closes = 0, quotes = 0 } = rows;
  const size = `${(bytes / mebibyte).toFixed(1)} MiB, ${closes} closes, ${quotes} quotes`;
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

const restoreAdvice: Readonly<Record<StorePlace['kind'], string>> = {
  sqlite:
    'Stop the service, move the files pizarra.db* away, and "pizarra restore" the last backup.',
  postgres: 'Stop the service, and restore the last backup of the database.',
};

const accessAdvice: Readonly<Record<StorePlace['kind'], string>> = {
  sqlite:
    'Check the owner of the files in the data directory, the disk, and the log of the service.',
  postgres: 'Check the database server, the network, the role and its rights.',
};

function aboutFault({ kind }: StorePlace, { code, message }: StoreFault): Finding {
  switch (code) {
    case 'absent':
      return warning('database', 'No database exists yet.', {
        todo: '"pizarra serve" or "pizarra import" creates one. "pizarra restore" creates one from a backup.',
      });
    case 'corrupt':
      return wrong('database', `${message}.`, { todo: restoreAdvice[kind] });
    case 'schema-newer':
      return wrong('database', `${message}.`, { todo: 'Run the newer version of Pizarra.' });
    case 'unfinished':
      return wrong('database', `${message}.`, { todo: 'Continue the copy, or remove it.' });
    case 'schema-older':
      return wrong('database', `${message}.`, {
        todo: 'Or continue with the older version of Pizarra.',
      });
    case 'unavailable':
    case 'busy':
    case 'conflict':
    case 'fenced':
    case 'unsupported':
      return wrong('database', `${message}.`, { todo: accessAdvice[kind] });
  }
}

/** Lists the stored closes that live prices contradict, each with what mends it. */
export function checkCloses(quotes: readonly StoredQuote[]): Finding {
  const cases = quotes.flatMap(({ ticker, setAside: mark }) =>
    isInForce(mark) ? [`${describeSetAside(ticker, mark)}; ${remedyFor(ticker, mark)}`] : [],
  );
  return warningIfAny('closes', cases, {
    none: 'Live prices contradict no stored close.',
    some: 'Live prices contradict stored closes, so variations are missing.',
    todo: 'Mend each close as its line says.',
  });
}

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

/** Remaining validity below which a key gets a warning, in days. */
const expiresSoonDays = 14;

/**
 * Checks that a key for reading exists, that the service accepts keys for URLs if there are some, and that no
 * key expires soon without a replacement.
 */
export function checkKeys(
  keys: readonly ApiKeyRecord[],
  now: number,
  /** Whether the running service, or one with these settings, accepts keys for URLs. */
  acceptsUrlKeys: boolean,
): Finding {
  const active = keys.filter((key) => keyStateAt(key, now) === 'active');
  const readers = active.filter(({ scope }) => scope === 'read');
  if (readers.length === 0) {
    return warning('keys', 'No active key can read the public API.', {
      todo: 'Create a key: pizarra keys create --name NAME',
    });
  }
  const refused = acceptsUrlKeys ? [] : active.filter(({ scope }) => scope === 'url');
  if (refused.length > 0) {
    return warning('keys', `${refused.length} keys for URLs are refused: urlKeys is off.`, {
      todo: 'Set "urlKeys: on" in the configuration, or revoke the keys (pizarra keys revoke ID).',
      cases: refused.map(({ id, name }) => `${id} (${name})`),
    });
  }
  // The user of a rotated key already has another one.
  const replaced = new Set(active.map(({ replaces }) => replaces));
  const ending = active.filter(
    ({ id, expiresAt = Infinity }) =>
      expiresAt <= now + expiresSoonDays * msPerDay && !replaced.has(id),
  );
  if (ending.length > 0) {
    return warning('keys', `${ending.length} keys expire within ${expiresSoonDays} days.`, {
      todo: 'Rotate each key (pizarra keys rotate ID), and give the new key to its user.',
      cases: ending.map(
        ({ id, name, expiresAt = 0 }) => `${id} (${name}): ${new Date(expiresAt).toISOString()}`,
      ),
    });
  }
  return fine('keys', `${active.length} keys are active, ${readers.length} of them for reading.`);
}
