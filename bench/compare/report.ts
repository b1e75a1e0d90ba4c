import { median, spreadOf } from '../support/statistics.ts';
import type { Spread } from '../support/statistics.ts';
import type { Machine } from './machine.ts';
import type { CaseSamples, Sample } from './measure.ts';
import type { PacedReport } from './paced.ts';
import type { StartUp } from './start-up.ts';

/** The name under which our own figures stand. */
export const ownName = 'pizarra';

/** The name of our program on the history that `--scale` does not multiply. */
export const unscaledName = 'unscaled';

/** All that a run found; what `--json` writes. */
export interface Report {
  readonly machine: Machine;
  readonly rounds: number;
  readonly seconds: number;
  readonly rows: number;
  readonly sides: readonly {
    readonly name: string;
    readonly title: string;
    readonly version?: string;
    readonly skipped?: string;
  }[];
  readonly cases: readonly CaseReport[];
  /** Microseconds of each side's processor time for an update that comes in alone. */
  readonly updateUs: Readonly<Record<string, number>>;
  /** Our answers to quote requests at a steady rate, without and with updates. */
  readonly paced: readonly PacedReport[];
  readonly startUp?: StartUp;
}

/** What one case showed, by side. */
export interface CaseReport {
  readonly name: string;
  readonly title: string;
  readonly withUpdates: boolean;
  /** Of our uncompressed answer. */
  readonly bytes: number;
  readonly sides: Readonly<Record<string, SideReport | { readonly skipped: string }>>;
}

/** What one side showed in one case. */
interface SideReport {
  readonly perSecond: Spread;
  readonly p50Ms: Spread;
  readonly p99Ms: Spread;
  readonly cpuUs: Spread;
  readonly userUs: Spread;
  readonly kernelUs: Spread;
  readonly memoryMiB: number;
  /** Updates taken meanwhile in a second; 0 where none came in. */
  readonly updatesPerSecond: Spread;
  /**
   * Our processor time per request divided by this side's, and our throughput by its: the median of
   * the rounds, each round's two beside each other.
   */
  readonly ours?: { readonly cpu: number; readonly throughput: number };
}

/** Sums up the samples of a case. */
export function reportCase({ case: one, bytes, sides }: CaseSamples): CaseReport {
  const own = sides.get(ownName);
  const ownSamples = own !== undefined && !('skipped' in own) ? own : undefined;
  const reports = [...sides].map(([name, samples]) => [
    name,
    'skipped' in samples ? samples : reportSide(samples, name === ownName ? undefined : ownSamples),
  ]);
  const { name, title, withUpdates } = one;
  return { name, title, withUpdates, bytes, sides: Object.fromEntries(reports) };
}

function reportSide(samples: readonly Sample[], own: readonly Sample[] | undefined): SideReport {
  const spread = (of: (sample: Sample) => number): Spread => spreadOf(samples.map(of));
  const ratio = (of: (sample: Sample) => number): number =>
    median(samples.map((sample, round) => ratioOf(own?.[round], sample, of)));
  return {
    perSecond: spread((sample) => sample.perSecond),
    p50Ms: spread((sample) => sample.p50Ms),
    p99Ms: spread((sample) => sample.p99Ms),
    cpuUs: spread(cpuUs),
    userUs: spread((sample) => sample.userUs),
    kernelUs: spread((sample) => sample.kernelUs),
    updatesPerSecond: spread((sample) => sample.updatesPerSecond),
    memoryMiB: Math.max(...samples.map(({ memoryBytes }) => memoryBytes)) / 1024 ** 2,
    ...(own === undefined
      ? {}
      : { ours: { cpu: ratio(cpuUs), throughput: ratio((sample) => sample.perSecond) } }),
  };
}

function cpuUs({ userUs, kernelUs }: Sample): number {
  return userUs + kernelUs;
}

function ratioOf(own: Sample | undefined, other: Sample, of: (sample: Sample) => number): number {
  return own === undefined ? Number.NaN : of(own) / of(other);
}
