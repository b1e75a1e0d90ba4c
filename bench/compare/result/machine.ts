import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The machine of a run, on which the figures depend. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  /** Load average of the minute before the run. Above 0.5, other programs affect the figures. */
  readonly loadAverage: number;
  readonly commit: string;
  readonly date: string;
}

/** Describes the measured machine and commit. */
export async function describeMachine(now: Date): Promise<Machine> {
  const git = await run('git', ['rev-parse', '--short', 'HEAD']).catch(() => undefined);
  const name = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const distribution = /^PRETTY_NAME="(.*)"$/m.exec(name)?.[1];
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    system: [distribution, `${type()} ${release()}`].filter(Boolean).join(', '),
    loadAverage: loadavg()[0] ?? Number.NaN,
    commit: git?.stdout.trim() ?? 'unknown',
    date: now.toISOString().slice(0, 10),
  };
}
