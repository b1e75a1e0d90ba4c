import { copyFile, constants, mkdir, rename, rm, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { loadUniverse } from '../../../src/universe/load-universe.ts';
import { formatUniverseFaults } from '../../../src/universe/files/universe-fault.ts';
import type { Universe } from '../../../src/domain/instruments/universe.ts';
import { databaseFileName } from '../../../src/store/sqlite/file/database-file.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { testStamp } from '../../../test/support/market/test-change.ts';
import { generateCloses, sessionDays } from './generated-closes.ts';
import { writeAlwaysOpenUniverse } from '../../support/always-open-universe.ts';
import { say } from '../../support/print.ts';
import { addPackedBars } from './generated-bars.ts';

/** Increased when the generated data or the schema of the store change, so that old data are not used. */
const version = 1;

const cache = resolve(import.meta.dirname, '../../data');

/** Number of instruments whose closes are written in one transaction. */
const instrumentsPerCommit = 50;

/** How much a generated store has. */
interface StoreSize {
  readonly instruments: number;
  /** Number of closes of each instrument. */
  readonly closes: number;
  /** Number of sessions of each instrument that have bars of all minutes. */
  readonly sessions: number;
}

/** A generated store, and its universe. */
export interface GeneratedStore {
  readonly universe: Universe;
  /** The instruments beside the default ones, as lines of `instruments.csv`. None of them is in a panel. */
  readonly lines: readonly string[];
  readonly bytes: number;
  /** The days that have bars, ascending. */
  readonly barDays: readonly number[];
  /** Copies the database to a new data directory, because a service writes to its directory. */
  readonly copyTo: (directory: string) => Promise<void>;
}

/** Opens a store with generated closes and bars. It is generated once, and cached for later runs. */
export async function openGeneratedStore(size: StoreSize): Promise<GeneratedStore> {
  const { instruments, closes, sessions } = size;
  const name = `growth-v${version}-${instruments}-instruments-${closes}-closes-${sessions}-sessions`;
  const directory = join(cache, name);
  const lines = await linesOf(instruments);
  if (!existsSync(directory)) await generate(directory, size, lines);
  const universe = await requireUniverse(join(directory, 'universe'));
  const database = join(directory, databaseFileName);
  return {
    universe,
    lines,
    bytes: (await stat(database)).size,
    barDays: sessionDays.slice(-sessions),
    copyTo: async (to) => {
      await mkdir(to, { recursive: true, mode: 0o700 });
      await copyFile(database, join(to, databaseFileName), constants.COPYFILE_FICLONE);
    },
  };
}

/** Shares without a panel, until there are enough instruments. */
async function linesOf(instruments: number): Promise<readonly string[]> {
  const { instruments: usual } = await requireUniverse(
    new URL('../../../universe/', import.meta.url).pathname,
  );
  if (usual.length > instruments) throw new Error(`--instruments must be at least ${usual.length}`);
  return Array.from(
    { length: instruments - usual.length },
    (_, index) => `X${index},Generated ${index},share,BYMA,ARS,,,,,,,,,`,
  );
}

async function generate(
  directory: string,
  { closes, sessions }: StoreSize,
  lines: readonly string[],
): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const universeDirectory = join(unfinished, 'universe');
  await writeAlwaysOpenUniverse(universeDirectory, lines);
  const { instruments } = await requireUniverse(universeDirectory);
  say(`Making ${(instruments.length * closes).toLocaleString('en')} closes, once …`);
  {
    await using store = await openSqliteStore({ directory: unfinished });
    for (let from = 0; from < instruments.length; from += instrumentsPerCommit) {
      await store.history.transaction(async (transaction) => {
        for (const instrument of instruments.slice(from, from + instrumentsPerCommit)) {
          const days = sessionDays.slice(-closes);
          await transaction.put(
            instrument.ticker,
            generateCloses(instrument, instrument.position, days),
          );
        }
      }, testStamp);
    }
  }
  say(`Making bars of ${sessions} sessions, once …`);
  addPackedBars(
    join(unfinished, databaseFileName),
    instruments.map(({ ticker }) => ticker),
    sessionDays.slice(-sessions),
  );
  // Only a complete store gets the name under which it is cached.
  await rename(unfinished, directory);
}

async function requireUniverse(directory: string): Promise<Universe> {
  const result = await loadUniverse(directory);
  if (!result.ok) throw new Error(formatUniverseFaults(result.faults));
  return result.universe;
}
