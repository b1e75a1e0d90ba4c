import { performance } from 'node:perf_hooks';
import { say } from './print.ts';

/** The duration of some work, in seconds. */
export async function secondsOf(work: () => unknown): Promise<number> {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1e3;
}

/** The processor time of some work in all threads of this process, in microseconds. */
export async function processorTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Prints one figure on its own line, aligned with the others. */
export function report(what: string, figure: number, unit: string): void {
  const value = figure.toLocaleString('en', { maximumFractionDigits: 2 });
  say(`${what.padEnd(66)} ${value.padStart(12)} ${unit}`.trimEnd());
}

/** The peak memory of this process, in MiB. */
export function peakMemoryMiB(): number {
  return process.resourceUsage().maxRSS / 1024;
}
