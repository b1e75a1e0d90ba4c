import { figure } from '../support/print.ts';
import { unscaledName } from './report.ts';
import type { CaseReport, Report } from './report.ts';

/** One of our performance aims, and whether a run met it. */
export interface Bar {
  readonly bar: string;
  readonly where: string;
  readonly got: number;
  readonly isMet: boolean;
}

const most = {
  cpuOfNginx: 1.25,
  secondsToReady: 1,
  idleMiB: 150,
  loadedMiB: 300,
  p99Ratio: 1.3,
  scaled: 1.05,
} as const;
const databaseTimesLeast = 10;
const databases = new Set(['sqlite', 'postgres', 'influxdb']);

/** Compares a report with the aims. Aims that were not measured are left out. */
export function judge(report: Report): readonly Bar[] {
  const { cases, startUp, paced } = report;
  const bars = cases.flatMap(judgeCase);
  for (const { name, p99Ratio } of paced) {
    bars.push(atMost('p99 with updates ÷ without', name, p99Ratio, most.p99Ratio));
  }
  if (startUp === undefined) return bars;
  const { secondsToReady, idleMiB, loadedMiB } = startUp;
  return [
    ...bars,
    atMost('seconds to ready', 'start', secondsToReady.median, most.secondsToReady),
    atMost('MiB idle', 'start', idleMiB.median, most.idleMiB),
    atMost('MiB loaded', 'start', loadedMiB, most.loadedMiB),
  ];
}

function judgeCase(one: CaseReport): readonly Bar[] {
  return Object.entries(one.sides).flatMap(([name, side]) => {
    if ('skipped' in side || side.ours === undefined) return [];
    if (name === 'nginx') {
      return [atMost('our CPU ÷ nginx', one.name, side.ours.cpu, most.cpuOfNginx)];
    }
    if (name === unscaledName) {
      return [
        atMost('CPU with 10 times the history ÷ without', one.name, side.ours.cpu, most.scaled),
      ];
    }
    if (!databases.has(name)) return [];
    const times = 1 / side.ours.cpu;
    const bar = `CPU of ${name} ÷ ours, at least ${databaseTimesLeast}`;
    return [{ bar, where: one.name, got: times, isMet: times >= databaseTimesLeast }];
  });
}

function atMost(what: string, where: string, got: number, limit: number): Bar {
  return { bar: `${what}, at most ${limit}`, where, got, isMet: got <= limit };
}

/** The aims as lines of text: each missed one, and the number of those that were met. */
export function barLines(bars: readonly Bar[]): readonly string[] {
  const missed = bars.filter(({ isMet }) => !isMet);
  return [
    `${bars.length - missed.length} of ${bars.length} aims are met.`,
    ...missed.map(({ bar, where, got }) => `  missed: ${where}: ${bar}: ${figure(got)}`),
  ];
}
