import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import { spreadOf } from '../support/statistics.ts';
import type { Spread } from '../support/statistics.ts';
import { ask } from './ask.ts';
import { contractTarget } from './cases.ts';
import type { Dataset } from './dataset.ts';
import { dataDirectoryIn, startPizarra } from './sides/pizarra.ts';

const starts = 5;
const settleMs = 2_000;

/** What starting takes, and what running holds. */
export interface StartUp {
  readonly rows: number;
  /** From starting the program to its listener's being there. */
  readonly secondsToReady: Spread;
  /** Resident, in MiB: shortly after the start, before any request. */
  readonly idleMiB: Spread;
  /** After the whole history of every instrument of the dataset and all panels were asked for. */
  readonly loadedMiB: number;
  readonly peakMiB: number;
}

/** Starts our program several times on a dataset, and asks the last one for everything there is. */
export async function measureStartUp(dataset: Dataset, scratch: string): Promise<StartUp> {
  const seconds: number[] = [];
  const idle: number[] = [];
  let loaded = { residentMiB: 0, peakMiB: 0 };
  for (let start = 1; start <= starts; start += 1) {
    const directory = dataDirectoryIn(scratch, `start-${start}`);
    await using own = await startPizarra(dataset, directory);
    seconds.push(own.secondsToReady);
    await delay(settleMs);
    idle.push(memoryOf(own.pid).residentMiB);
    if (start === starts) {
      await askForEverything(own, dataset);
      await delay(settleMs);
      loaded = memoryOf(own.pid);
    }
    await own[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  }
  return {
    rows: dataset.rows,
    secondsToReady: spreadOf(seconds),
    idleMiB: spreadOf(idle),
    loadedMiB: loaded.residentMiB,
    peakMiB: loaded.peakMiB,
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

/** Resident memory now and at the most, in MiB, as `VmRSS` and `VmHWM` of proc(5) say. */
function memoryOf(pid: number): { readonly residentMiB: number; readonly peakMiB: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { residentMiB: mebibytes('VmRSS'), peakMiB: mebibytes('VmHWM') };
}
