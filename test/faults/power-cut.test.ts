import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

import { Noise } from '../../src/lib/noise.ts';
import { StoreFault } from '../../src/store/store-fault.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { temporaryDirectory } from '../support/program.ts';
import { checkIntegrity } from './check-integrity.ts';
import { isLongRun } from './long-run.ts';
import { Disk } from './power/disk.ts';
import { lastCommitIn } from './power/power-load.ts';
import { readTrace, straceArguments } from './power/trace.ts';
import type { FileOperation } from './power/trace.ts';

/** How much is written while the trace is taken: the log is folded into the file several times. */
const commits = isLongRun ? 200 : 40;
/** How often the power is cut, at moments spread over the trace. */
const cuts = isLongRun ? 3_000 : 40;
const controlCuts = isLongRun ? 400 : 25;

const writer = join(import.meta.dirname, 'power/power-writer.ts');

const hasStrace = spawnSync('strace', ['-V']).status === 0;

/** What became of the store at all cuts. */
interface Tally {
  /** All that was acknowledged is there, whole. */
  sound: number;
  /** It opens, and commits that were acknowledged are missing. */
  lost: number;
  /** It says itself that something is wrong, and serves nothing. */
  refused: number;
  /** It opens, and holds what was never written. */
  wrong: number;
}

/** The trace of the store as it is; two tests replay it. */
let asItIs: Promise<readonly FileOperation[]> | undefined;

describe('the power is cut', { skip: !hasStrace && 'needs strace', timeout: 900_000 }, () => {
  test('at any moment, and every acknowledged commit is there, whole, with the mark beside it', async (t) => {
    const trace = await (asItIs ??= record('full'));
    const tally = await cutThePower(trace, { cuts, seed: 1 });
    t.diagnostic(`${trace.length} operations, ${commits} commits: ${JSON.stringify(tally)}`);
    assert.deepEqual(tally, { sound: cuts, lost: 0, refused: 0, wrong: 0 });
  });

  test('and with synchronous = NORMAL acknowledged commits are lost: the replay would notice', async (t) => {
    const trace = await record('normal');
    const tally = await cutThePower(trace, { cuts: controlCuts, seed: 2 });
    t.diagnostic(JSON.stringify(tally));
    // The mark notices most of them: then the store is refused.
    assert.ok(tally.lost + tally.refused > controlCuts / 10, JSON.stringify(tally));
  });

  test('and a disk that lies about half of its syncs loses commits or is refused', async (t) => {
    const trace = await (asItIs ??= record('full'));
    const noise = new Noise(3, 'lies');
    const lying = trace.filter(({ type }, index) => type !== 'sync' || noise.uniform(index) < 0.5);
    const tally = await cutThePower(lying, { cuts: controlCuts, seed: 3 });
    t.diagnostic(JSON.stringify(tally));
    assert.ok(tally.lost + tally.refused + tally.wrong > controlCuts / 10, JSON.stringify(tally));
  });
});

/** Runs the writer under strace to its sudden end. */
async function record(synchronous: 'full' | 'normal'): Promise<readonly FileOperation[]> {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  await mkdir(data);
  const output = join(directory.path, 'trace');
  const program = [process.execPath, writer, data, String(commits), synchronous];
  const args = [...straceArguments, '-o', output, ...program];
  // strace ends as its program does, by the signal.
  await promisify(execFile)('strace', args).catch((error: { readonly signal?: string }) =>
    assert.equal(error.signal, 'SIGKILL', 'strace failed'),
  );
  return readTrace(await readFile(output, 'latin1'), data);
}

/** Replays a trace, and looks at moments spread over it what a cut of the power would leave. */
async function cutThePower(
  trace: readonly FileOperation[],
  { cuts: count, seed }: { readonly cuts: number; readonly seed: number },
): Promise<Tally> {
  const noise = new Noise(seed, 'power');
  const moments = Array.from({ length: count }, (_, index) =>
    Math.floor(noise.uniform(index) * (trace.length + 1)),
  ).sort((a, b) => a - b);
  const tally: Tally = { sound: 0, lost: 0, refused: 0, wrong: 0 };
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

/** Opens what is left as the service would after the power is back. */
async function verdict(
  files: ReadonlyMap<string, Buffer>,
  acknowledged: number,
): Promise<keyof Tally> {
  await using directory = await temporaryDirectory();
  for (const [path, content] of files) {
    // What is mapped into memory is made anew from the log.
    if (path.endsWith('-shm')) continue;
    await writeFile(join(directory.path, basename(path)), content);
  }
  try {
    await using store = await openSqliteStore({ directory: directory.path });
    const last = await lastCommitIn(store);
    checkIntegrity(directory.path);
    // One more than was acknowledged may be durable: the power went before it was said.
    if (last > acknowledged + 1) return 'wrong';
    return last < acknowledged ? 'lost' : 'sound';
  } catch (error) {
    if (error instanceof StoreFault) return 'refused';
    if (error instanceof assert.AssertionError) return 'wrong';
    throw error;
  }
}
