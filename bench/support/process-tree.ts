import { readFileSync, readdirSync } from 'node:fs';

/** The unit of `/proc/<pid>/stat`, which Linux fixes for programs whatever its own clock does. */
const ticksPerSecond = 100;

/** Seconds of the processor's time, apart by who took them. */
export interface ProcessorTime {
  readonly user: number;
  readonly kernel: number;
}

/**
 * The processor time that processes and all their descendants have taken so far, every thread and
 * the descendants that have ended included. A database that forks a process for each connection is
 * so counted whole.
 */
export function processorTime(roots: readonly number[]): ProcessorTime {
  let user = 0;
  let kernel = 0;
  for (const pid of withDescendants(roots)) {
    const fields = statOf(pid);
    // Fields 14 to 17 of proc(5); the first two of stat are cut off.
    user += Number(fields[11] ?? 0) + Number(fields[13] ?? 0);
    kernel += Number(fields[12] ?? 0) + Number(fields[14] ?? 0);
  }
  return { user: user / ticksPerSecond, kernel: kernel / ticksPerSecond };
}

/**
 * The memory of processes and their descendants, in bytes, each page that several hold counted in
 * parts (PSS): the shared buffers of a database's many processes count once.
 */
export function proportionalBytes(roots: readonly number[]): number {
  return sumKibibytes(roots, 'smaps_rollup', 'Pss') * 1024;
}

/** What is resident of processes and their descendants, in bytes, shared pages and all (RSS). */
export function residentBytes(roots: readonly number[]): number {
  return sumKibibytes(roots, 'status', 'VmRSS') * 1024;
}

/** The most that was ever resident of each of them, added up, in bytes. */
export function peakResidentBytes(roots: readonly number[]): number {
  return sumKibibytes(roots, 'status', 'VmHWM') * 1024;
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
  // The list grows while it is walked.
  for (const pid of all) all.push(...(children.get(pid) ?? []));
  return all;
}

/** The fields from the third on: the second, the name, may hold spaces and parentheses. */
function statOf(pid: number): readonly string[] {
  const text = readProc(`${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** A process may end between being listed and being read; then there is nothing to count. */
function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return '';
  }
}
