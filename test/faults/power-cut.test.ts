import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

import { Noise } from '../../src/lib/numbers/noise.ts';
import { StoreFault } from '../../src/store/contract/store-fault.ts';
import { checkPages } from '../../src/store/sqlite/health/check-pages.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { checkIntegrity } from './check-integrity.ts';
import { isLongRun } from './long-run.ts';
import { Disk } from './power/disk.ts';
import { lastCommitIn } from './power/power-load.ts';
import { readTrace, straceArguments, type FileOperation } from './power/trace.ts';

/** Number of commits in the trace. They cause several checkpoints of the log. */
const commits = isLongRun ? 200 : 40;
/** Number of power failures, spread over the trace. */
const cuts = isLongRun ? 3_000 : 40;
const controlCuts = isLongRun ? 400 : 25;

/** Maximum time for the check of a store, in milliseconds. */
const checkMsMax = 600_000;

const writer = join(import.meta.dirname, 'power/power-writer.ts');

const hasStrace = spawnSync('strace', ['-V']).status === 0;

/** The number of power failures, by the state of the store afterwards. */
interface Tally {
  /** All acknowledged commits exist and are complete. */
  sound: number;
  /** The store opens, but acknowledged commits are missing. */
  lost: number;
  /** The store refuses to open. */
  refused: number;
  /** The store opens, and a read or the check that follows a start finds damage. */
  damaged: number;
  /** The store opens with data that were never written, or with damage that nothing finds. */
  wrong: number;
}

const none: Tally = { sound: 0, lost: 0, refused: 0, damaged: 0, wrong: 0 };

/** The trace of the store with its normal settings. Two tests replay it. */
let asItIs: Promise<readonly FileOperation[]> | undefined;

describe(
  'after a power failure',
  { skip: !hasStrace && 'needs strace', timeout: 3_600_000 },
  () => {
    test('at any time, every acknowledged commit is complete, and the mark matches', async (t) => {
      const trace = await (asItIs ??= record('full'));
      const tally = await cutThePower(trace, { cuts, seed: 1 });
      t.diagnostic(`${trace.length} operations, ${commits} commits: ${JSON.stringify(tally)}`);
      assert.deepEqual(tally, { ...none, sound: cuts });
    });

    test('with synchronous = NORMAL, acknowledged commits are lost, so the replay detects losses', async (t) => {
      const trace = await record('normal');
      const tally = await cutThePower(trace, { cuts: controlCuts, seed: 2 });
      t.diagnostic(JSON.stringify(tally));
      // The mark detects most of the losses. The store is then refused.
      assert.ok(tally.lost + tally.refused > controlCuts / 10, JSON.stringify(tally));
    });

    test('on a disk that ignores half of the syncs, commits are lost or the store is refused, and all damage is found', async (t) => {
      const trace = await (asItIs ??= record('full'));
      const noise = new Noise(3, 'lies');
      const lying = trace.filter(
        ({ type }, index) => type !== 'sync' || noise.uniform(index) < 0.5,
      );
      const tally = await cutThePower(lying, { cuts: controlCuts, seed: 3 });
      t.diagnostic(JSON.stringify(tally));
      assert.ok(tally.lost + tally.refused > controlCuts / 10, JSON.stringify(tally));
      assert.equal(tally.wrong, 0, JSON.stringify(tally));
    });
  },
);

/** Runs the writer under strace until it kills itself, and returns the trace. */
async function record(synchronous: 'full' | 'normal'): Promise<readonly FileOperation[]> {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  await mkdir(data);
  const output = join(directory.path, 'trace');
  const program = [process.execPath, writer, data, String(commits), synchronous];
  const args = [...straceArguments, '-o', output, ...program];
  // strace ends with the signal of its program.
  await promisify(execFile)('strace', args).catch((error: { readonly signal?: string }) =>
    assert.equal(error.signal, 'SIGKILL', 'strace failed'),
  );
  return readTrace(await readFile(output, 'latin1'), data);
}

/** Replays a trace, and checks the store after power failures that are spread over it. */
async function cutThePower(
  trace: readonly FileOperation[],
  { cuts: count, seed }: { readonly cuts: number; readonly seed: number },
): Promise<Tally> {
  const noise = new Noise(seed, 'power');
  const moments = Array.from({ length: count }, (_, index) =>
    Math.floor(noise.uniform(index) * (trace.length + 1)),
  ).sort((a, b) => a - b);
  const tally: Tally = { ...none };
  const disk = new Disk();
  let done = 0;
  let acknowledged = 0;
  let draws = count;
  const random = (): number => noise.uniform((draws += 1));
  for (const moment of moments) {
    for (; done < moment; done += 1) {
      const operation = trace[done];
      if (operation?.type === 'said') acknowledged = Number(operation.text.split(' ')[1]);
      else if (operation !== undefined) disk.apply(operation);
    }
    tally[await verdict(disk.afterPowerCut(random), acknowledged)] += 1;
  }
  return tally;
}

/** Opens the remaining files as the service does after a power failure. */
async function verdict(
  files: ReadonlyMap<string, Buffer>,
  acknowledged: number,
): Promise<keyof Tally> {
  await using directory = await temporaryDirectory();
  for (const [path, content] of files) {
    // SQLite rebuilds the shared-memory file from the log.
    if (path.endsWith('-shm')) continue;
    await writeFile(join(directory.path, basename(path)), content);
  }
  let isOpen = false;
  try {
    await using store = await openSqliteStore({ directory: directory.path });
    isOpen = true;
    const last = await lastCommitIn(store);
    // The open reads few pages, so that a start is fast. The service reads the others soon after it.
    await checkPages(directory.path, AbortSignal.timeout(checkMsMax));
    checkIntegrity(directory.path);
    // One commit may be durable but not acknowledged, because the power failed in between.
    if (last > acknowledged + 1) return 'wrong';
    return last < acknowledged ? 'lost' : 'sound';
  } catch (error) {
    if (error instanceof StoreFault && error.code === 'corrupt') {
      return isOpen ? 'damaged' : 'refused';
    }
    if (error instanceof assert.AssertionError) return 'wrong';
    throw error;
  }
}
