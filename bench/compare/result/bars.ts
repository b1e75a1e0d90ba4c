import { figure } from '../../support/print.ts';
import { median } from '../../support/statistics.ts';
import { ownName, unscaledName } from '../cases/side.ts';
import type { CaseReport, Report } from './report.ts';

/** An aim of the project, the measured figure, and whether the aim is met. */
export interface Bar {
  readonly bar: string;
  readonly where: string;
  readonly got: number;
  readonly isMet: boolean;
}

const most = {
  cpuOfNginx: 1.25,
  cpuOfNginxMedian: 1,
  /** Processor time of a request on connections after mixed requests, divided by that on fresh ones. */
  afterMixed: 1.1,
  http2Us: 30,
  updateUs: 20,
  secondsToReady: 0.5,
  idleMiB: 110,
  loadedMiB: 250,
  p99Ratio: 1.3,
  scaled: 1.05,
} as const;
const databaseTimesLeast = 10;
const databases = new Set(['sqlite', 'postgres', 'influxdb']);

/** Compares a report with the aims. Aims that were not measured are left out. */
export function judge(report: Report): readonly Bar[] {
  const { cases, startUp, paced, updateUs } = report;
  const bars = [...cases.flatMap(judgeCase), ...judgeMedian(cases), ...judgeProxy(cases)];
  for (const { name, p99Ratio } of paced) {
    bars.push(atMost('p99 with updates ÷ without', name, p99Ratio, most.p99Ratio));
  }
  const ownUpdateUs = updateUs[ownName];
  if (ownUpdateUs !== undefined) {
    bars.push(atMost('CPU of an update, µs', 'updates', ownUpdateUs, most.updateUs));
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

function ofNginx({ sides }: CaseReport): number | undefined {
  const nginx = sides['nginx'];
  return nginx === undefined || 'skipped' in nginx ? undefined : nginx.ours?.cpu;
}

function ownCpu(cases: readonly CaseReport[], name: string): number | undefined {
  const own = cases.find((one) => one.name === name)?.sides[ownName];
  return own === undefined || 'skipped' in own ? undefined : own.cpuUs.median;
}

function judgeMedian(cases: readonly CaseReport[]): readonly Bar[] {
  const ratios = cases.flatMap((one) => ofNginx(one) ?? []);
  if (ratios.length === 0) return [];
  const bar = 'our CPU ÷ nginx, median of all cases';
  return [atMost(bar, `${ratios.length} cases`, median(ratios), most.cpuOfNginxMedian)];
}

/** Compares a request through the proxy with one on fresh connections and with one without a proxy. */
function judgeProxy(cases: readonly CaseReport[]): readonly Bar[] {
  const pairs = [
    ['proxy-one', 'proxy-fresh-one', 'on fresh connections'],
    ...['one', 'lid', 'not-modified'].map((name) => [`proxy-${name}`, name, 'without a proxy']),
  ] as const;
  return pairs.flatMap(([name = '', other = '', what = '']) => {
    const [own, compared] = [ownCpu(cases, name), ownCpu(cases, other)];
    if (own === undefined || compared === undefined) return [];
    return [atMost(`our CPU behind a proxy ÷ ${what}`, name, own / compared, most.afterMixed)];
  });
}

function judgeCase(one: CaseReport): readonly Bar[] {
  return Object.entries(one.sides).flatMap(([name, side]) => {
    if ('skipped' in side || side.ours === undefined) return [];
    if (name === 'nginx') {
      return [
        atMost('our CPU ÷ nginx', one.name, side.ours.cpu, most.cpuOfNginx),
        ...judgeHttp2(one),
      ];
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

function judgeHttp2({ name, sides }: CaseReport): readonly Bar[] {
  const own = sides[ownName];
  if (!name.startsWith('h2-') || own === undefined || 'skipped' in own) return [];
  return [atMost('our CPU over HTTP/2, µs', name, own.cpuUs.median, most.http2Us)];
}

function atMost(what: string, where: string, got: number, limit: number): Bar {
  return { bar: `${what}, at most ${limit}`, where, got, isMet: got <= limit };
}

/**
 * A line for each aim: its figure, or the number of figures that meet it, and those that do not, unless a
 * table beside the lines shows them.
 */
export function barLines(
  bars: readonly Bar[],
  { listsMissed = true }: { readonly listsMissed?: boolean } = {},
): readonly string[] {
  const met = bars.filter(({ isMet }) => isMet);
  const groups = Map.groupBy(bars, ({ bar }) => bar);
  return [
    `${met.length} of ${bars.length} aims are met.`,
    ...Array.from(groups, ([bar, all]) => `  ${bar}: ${verdictOf(all, listsMissed)}`),
  ];
}

function verdictOf(all: readonly Bar[], listsMissed: boolean): string {
  const [only] = all;
  if (all.length === 1 && only !== undefined) {
    return `${figure(only.got)}, ${only.isMet ? 'met' : 'missed'}`;
  }
  const missed = all.filter(({ isMet }) => !isMet);
  const where = missed.map((one) => `${one.where} ${figure(one.got)}`).join(', ');
  const count = `${all.length - missed.length} of ${all.length} met`;
  return missed.length === 0 || !listsMissed ? count : `${count}; missed: ${where}`;
}
