import type { StoreInspection, StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { fine, warning, wrong, type Finding } from '../../lib/reports/finding.ts';

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
