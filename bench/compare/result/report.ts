import { median, spreadOf, type Spread } from '../../support/statistics.ts';
import type { Machine } from './machine.ts';
import type { Case } from '../cases/cases.ts';
import { ownName } from '../cases/side.ts';
import type { CaseSamples, Sample } from '../load/measure.ts';
import type { PacedReport } from '../load/paced.ts';
import type { StartUp } from '../load/start-up.ts';

/** All results of a run. `--json` writes them. */
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
  /** Each side's processor time per update without other requests, in microseconds. */
  readonly updateUs: Readonly<Record<string, number>>;
  /** Response times of Pizarra for quotes at a steady rate, without and with updates. */
  readonly paced: readonly PacedReport[];
  readonly startUp?: StartUp;
}

/** The results of one case, by side. */
export interface CaseReport {
  readonly name: string;
  readonly title: string;
  readonly carrier: Case['carrier'];
  readonly manner: Case['manner'];
  readonly withUpdates: boolean;
  /** Size of Pizarra's uncompressed response. */
  readonly bytes: number;
  readonly sides: Readonly<Record<string, SideReport | { readonly skipped: string }>>;
}

/** The results of one side in one case. */
interface SideReport {
  readonly perSecond: Spread;
  readonly p50Ms: Spread;
  readonly p99Ms: Spread;
  readonly cpuUs: Spread;
  readonly userUs: Spread;
  readonly kernelUs: Spread;
  readonly memoryMiB: number;
  /** Number of accepted updates per second; 0 in cases without updates. */
  readonly updatesPerSecond: Spread;
  /**
   * Pizarra's processor time per request divided by this side's, the part of it in the kernel, and the throughput.
   * Each is the median of the ratios of the rounds.
   */
  readonly ours?: { readonly cpu: number; readonly kernel: number; readonly throughput: number };
}

/** Summarises the samples of a case. */
export function reportCase({ case: one, bytes, sides }: CaseSamples): CaseReport {
  const own = sides.get(ownName);
  const ownSamples = own !== undefined && !('skipped' in own) ? own : undefined;
  const reports = [...sides].map(([name, samples]) => [
    name,
    'skipped' in samples ? samples : reportSide(samples, name === ownName ? undefined : ownSamples),
  ]);
  const { name, title, carrier, manner, withUpdates } = one;
  return { name, title, carrier, manner, withUpdates, bytes, sides: Object.fromEntries(reports) };
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
      : {
          ours: {
            cpu: ratio(cpuUs),
            kernel: ratio((sample) => sample.kernelUs),
            throughput: ratio((sample) => sample.perSecond),
          },
        }),
  };
}

function cpuUs({ userUs, kernelUs }: Sample): number {
  return userUs + kernelUs;
}

function ratioOf(own: Sample | undefined, other: Sample, of: (sample: Sample) => number): number {
  return own === undefined ? Number.NaN : of(own) / of(other);
}
