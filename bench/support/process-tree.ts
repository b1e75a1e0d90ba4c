import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** The unit of `/proc/<pid>/stat`. Linux always uses this value for programs. */
const ticksPerSecond = 100;

/**
 * The processor time of a process and all its descendants so far, in seconds, including all threads and the
 * descendants that have ended. So a database that forks a process for each connection is counted completely.
 */
export function processorTime(root: number): number {
  // Fields 14 to 17 of proc(5). The array starts with the third field.
  const ticks = withDescendants(root).flatMap((pid) => statOf(pid).slice(11, 15).map(Number));
  return sumOf(ticks) / ticksPerSecond;
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
  const spent = (): number => sumOf(roots.map(processorTime));
  let before = spent();
  for (let waitedMs = 0; waitedMs < idleWaitMs; waitedMs += idleMs) {
    await delay(idleMs);
    const now = spent();
    if (now - before <= (idleShare * idleMs) / 1e3) return;
    before = now;
  }
  throw new Error(`not idle after ${idleWaitMs / 1e3} s: process ${roots.join(', ')}`);
}

/**
 * The processor time of all threads of a process and of its descendants so far, to the nanosecond, in seconds. The
 * time of a thread that has ended is missing.
 */
export function preciseTime(root: number): number {
  const threads = withDescendants(root).flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `${pid}/task/${thread}`),
  );
  // The first number of schedstat, in nanoseconds (Documentation/scheduler/sched-stats.rst of Linux).
  return sumOf(threads.map((at) => Number(readProc(`${at}/schedstat`).split(' ')[0] ?? 0))) / 1e9;
}

/**
 * The memory of a process and its descendants, in bytes. A shared page is divided among its processes (PSS), so
 * what two workers share counts once.
 */
export function proportionalBytes(root: number): number {
  return sumKibibytes(root, 'smaps_rollup', 'Pss') * 1024;
}

/** The resident memory of a process and its descendants, in bytes, including shared pages (RSS). */
export function residentBytes(root: number): number {
  return sumKibibytes(root, 'status', 'VmRSS') * 1024;
}

function sumKibibytes(root: number, file: string, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm');
  const pids = withDescendants(root);
  return sumOf(pids.map((pid) => Number(line.exec(readProc(`${pid}/${file}`))?.[1] ?? 0)));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function withDescendants(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = Number(statOf(pid)[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const all = [root];
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
