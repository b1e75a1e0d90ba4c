import { copyFile, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadUniverse } from '../../../src/universe/load-universe.ts';
import { formatUniverseFaults } from '../../../src/universe/files/universe-fault.ts';
import type { Universe } from '../../../src/domain/instruments/universe.ts';
import { databaseFileName } from '../../../src/store/sqlite/file/database-file.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { writeAlwaysOpenUniverse } from '../../support/always-open-universe.ts';
import { say } from '../../support/print.ts';
import { generateCloses, sessionDays } from './generated-closes.ts';
import { testStamp } from '../../../test/support/market/test-change.ts';

/** The version of the generated data. It is increased when they or the schema of the store change, so that old data are not used. */
const datasetVersion = 4;

/** A store with generated history, and its universe. */
export interface Dataset {
  readonly universeDirectory: string;
  readonly universe: Universe;
  readonly rows: number;
  /** The data directory. It is copied for each run, because a service writes to its directory. */
  readonly directory: string;
}

/**
 * Opens the default universe, with all markets always open and twenty years of closes of each instrument, which
 * the store's writer has written. With a scale of ten there are ten times as many instruments, but only the
 * default ones are in panels. So all responses are the same, with ten times the history. The data are generated
 * once and cached for later runs.
 */
export async function openDataset(cache: string, scale: number): Promise<Dataset> {
  const directory = join(cache, `closes-v${datasetVersion}-x${scale}`);
  if (!existsSync(directory)) await makeDataset(directory, scale);
  const universeDirectory = join(directory, 'universe');
  const universe = await requireUniverse(universeDirectory);
  const rows = universe.instruments.length * sessionDays.length;
  return { universeDirectory, universe, rows, directory };
}

/** Copies a dataset's store into a new data directory. Uses reflinks if the file system supports them. */
export async function copyDataset(dataset: Dataset, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const copy = join(to, databaseFileName);
  await copyFile(join(dataset.directory, databaseFileName), copy, constants.COPYFILE_FICLONE);
}

async function makeDataset(directory: string, scale: number): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const universeDirectory = join(unfinished, 'universe');
  await writeAlwaysOpenUniverse(universeDirectory);
  if (scale > 1) await multiplyInstruments(join(universeDirectory, 'instruments.csv'), scale);
  const { instruments } = await requireUniverse(universeDirectory);
  say(`Making ${(instruments.length * sessionDays.length).toLocaleString('en')} closes, once …`);
  {
    await using store = await openSqliteStore({ directory: unfinished });
    for (const instrument of instruments) {
      const closes = generateCloses(instrument, instrument.position);
      await store.history.transaction(
        (transaction) => transaction.put(instrument.ticker, closes),
        testStamp,
      );
    }
  }
  // Only a complete dataset gets the name under which it is cached.
  await rename(unfinished, directory);
}

/** Adds shares without a panel until there are `scale` times as many instruments. */
async function multiplyInstruments(file: string, scale: number): Promise<void> {
  const text = (await readFile(file, 'utf8')).trimEnd();
  const count = text.split('\n').length - 1;
  const added = Array.from(
    { length: count * (scale - 1) },
    (_, index) => `X${index},Generated ${index},share,BYMA,ARS,,,,,`,
  );
  await writeFile(file, `${[text, ...added].join('\n')}\n`);
}

async function requireUniverse(directory: string): Promise<Universe> {
  const result = await loadUniverse(directory);
  if (!result.ok) throw new Error(formatUniverseFaults(result.faults));
  return result.universe;
}
