import { performance } from 'node:perf_hooks';
import { say } from './print.ts';

/** Seconds that some work takes. */
export async function secondsOf(work: () => unknown): Promise<number> {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1e3;
}

/** Writes one figure on a line of its own, below the others. */
export function report(what: string, figure: number, unit: string): void {
  const value = figure.toLocaleString('en', { maximumFractionDigits: 2 });
  say(`${what.padEnd(66)} ${value.padStart(12)} ${unit}`.trimEnd());
}

/** The most memory that this process ever had, in MiB. */
export function peakMemoryMiB(): number {
  return process.resourceUsage().maxRSS / 1024;
}
