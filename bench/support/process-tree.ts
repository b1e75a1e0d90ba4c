import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** The unit of `/proc/<pid>/stat`. Linux always uses this value for programs. */
const ticksPerSecond = 100;

/** Seconds of processor time, in user mode and in the kernel. */
export interface ProcessorTime {
  readonly user: number;
  readonly kernel: number;
}

/**
 * The processor time of processes and all their descendants so far, including all threads and the descendants
 * that have ended. So a database that forks a process for each connection is counted completely.
 */
export function processorTime(roots: readonly number[]): ProcessorTime {
  let user = 0;
  let kernel = 0;
  for (const pid of withDescendants(roots)) {
    const fields = statOf(pid);
    // Fields 14 to 17 of proc(5). The array starts with the third field.
    user += Number(fields[11] ?? 0) + Number(fields[13] ?? 0);
    kernel += Number(fields[12] ?? 0) + Number(fields[14] ?? 0);
  }
  return { user: user / ticksPerSecond, kernel: kernel / ticksPerSecond };
}

/** A process is idle when it takes at most this share of a core for this long: what begins a second later counts. */
const idleShare = 0.04;
const idleMs = 2_000;
const idleWaitMs = 120_000;

/**
 * Waits until processes are idle. A second after its start, Pizarra begins to check its whole store on another
 * thread, for a second for each million closes. Requests that are measured meanwhile seem to cost twice as much.
 */
export async function untilIdle(roots: readonly number[]): Promise<void> {
  let before = processorTime(roots);
  for (let waitedMs = 0; waitedMs < idleWaitMs; waitedMs += idleMs) {
    await delay(idleMs);
    const now = processorTime(roots);
    const seconds = now.user + now.kernel - before.user - before.kernel;
    if (seconds <= (idleShare * idleMs) / 1e3) return;
    before = now;
  }
  throw new Error(`not idle after ${idleWaitMs / 1e3} s: process ${roots.join(', ')}`);
}

/** The processor time of all threads of a process and of its descendants, to the nanosecond, in seconds. */
export function preciseTime(root: number): number {
  const times = withDescendants([root]).flatMap((pid) => [...threadTimes(pid).values()]);
  return times.reduce((sum, seconds) => sum + seconds, 0);
}

/** Seconds of processor time of each name of a thread. Threads of the same name are added up. */
export type ThreadTimes = ReadonlyMap<string, number>;

/**
 * The processor time of the threads of a process so far, to the nanosecond. The time of a thread that has ended
 * is missing.
 */
export function threadTimes(pid: number): ThreadTimes {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const name = readProc(`${pid}/task/${thread}/comm`).trim();
    // The first number of schedstat, in nanoseconds (Documentation/scheduler/sched-stats.rst of Linux).
    const spent = Number(readProc(`${pid}/task/${thread}/schedstat`).split(' ')[0] ?? 0) / 1e9;
    times.set(name, (times.get(name) ?? 0) + spent);
  }
  return times;
}

/**
 * The memory of processes and their descendants, in bytes. A shared page is divided among its processes (PSS),
 * so the shared buffers of a database count once.
 */
export function proportionalBytes(roots: readonly number[]): number {
  return sumKibibytes(roots, 'smaps_rollup', 'Pss') * 1024;
}

/** The resident memory of processes and their descendants, in bytes, including shared pages (RSS). */
export function residentBytes(roots: readonly number[]): number {
  return sumKibibytes(roots, 'status', 'VmRSS') * 1024;
}

function sumKibibytes(roots: readonly number[], file: string, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm');
  return withDescendants(roots)
    .map((pid) => Number(line.exec(readProc(`${pid}/${file}`))?.[1] ?? 0))
    .reduce((sum, kibibytes) => sum + kibibytes, 0);
}

function withDescendants(roots: readonly number[]): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = Number(statOf(pid)[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const all = [...roots];
  // The list grows while it is iterated.
  for (const pid of all) all.push(...(children.get(pid) ?? []));
  return all;
}

/** The fields from the third on. The second one, the name, may contain spaces and parentheses. */
function statOf(pid: number): readonly string[] {
  const text = readProc(`${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Reads a file of /proc. Empty when the process has ended since it was listed. */
function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return '';
  }
}
