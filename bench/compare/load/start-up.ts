import { setTimeout as delay } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import { peakResidentBytes, residentBytes } from '../../support/process-tree.ts';
import { spreadOf, type Spread } from '../../support/statistics.ts';
import { ask } from '../cases/ask.ts';
import { contractTarget } from '../cases/cases.ts';
import type { Dataset } from '../cases/dataset.ts';
import { dataDirectoryIn, startPizarra } from '../sides/pizarra.ts';

const starts = 5;
const settleMs = 2_000;
const mebibyte = 1024 ** 2;

/** The duration of a start, and the memory of the running program. */
export interface StartUp {
  readonly rows: number;
  /** Time from starting the program until its listener is open, in seconds. */
  readonly secondsToReady: Spread;
  /** Resident memory shortly after the start, before any request, in MiB. */
  readonly idleMiB: Spread;
  /** Resident memory after the history of every instrument and all panels were requested, in MiB. */
  readonly loadedMiB: number;
  readonly peakMiB: number;
}

/** Starts Pizarra several times on a dataset, and requests all data from the last one. */
export async function measureStartUp(dataset: Dataset, scratch: string): Promise<StartUp> {
  const seconds: number[] = [];
  const idle: number[] = [];
  let loadedMiB = Number.NaN;
  let peakMiB = Number.NaN;
  for (let start = 1; start <= starts; start += 1) {
    const directory = dataDirectoryIn(scratch, `start-${start}`);
    await using own = await startPizarra(dataset, directory);
    seconds.push(own.secondsToReady);
    await delay(settleMs);
    idle.push(residentBytes(own.pids) / mebibyte);
    if (start === starts) {
      await askForEverything(own, dataset);
      await delay(settleMs);
      loadedMiB = residentBytes(own.pids) / mebibyte;
      peakMiB = peakResidentBytes(own.pids) / mebibyte;
    }
    await own[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  }
  return {
    rows: dataset.rows,
    secondsToReady: spreadOf(seconds),
    idleMiB: spreadOf(idle),
    loadedMiB,
    peakMiB,
  };
}

async function askForEverything(
  own: { readonly origin: string; readonly key: string },
  { universe }: Dataset,
): Promise<void> {
  const headers = { authorization: `Bearer ${own.key}` };
  for (const panel of universe.panels.keys()) {
    await ask(`${own.origin}${contractTarget({ kind: 'panel', panel })}`, headers);
  }
  for (const { ticker } of universe.instruments) {
    const question = { kind: 'history', ticker, from: '2000-01-01', to: '2026-12-31' } as const;
    await ask(`${own.origin}${contractTarget(question)}`, headers);
  }
}
