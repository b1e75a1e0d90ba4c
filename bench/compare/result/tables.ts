import { formatTable } from '../../../src/commands/form/report.ts';
import { figure } from '../../support/print.ts';
import type { Spread } from '../../support/statistics.ts';
import type { CaseReport, Report } from './report.ts';
import { pacedPerSecond, type PacedReport } from '../load/paced.ts';
import type { StartUp } from '../load/start-up.ts';

const head = [
  'case',
  'bytes',
  'side',
  'requests/s',
  'CPU µs',
  '(least–most)',
  'user',
  'kernel',
  'p50 ms',
  'p99 ms',
  'MiB',
  'updates/s',
  'our CPU is',
  'our rate is',
] as const;

/** The cases as a table for the terminal. */
export function casesTable(report: Report): string {
  return formatTable(
    head,
    report.cases.flatMap((one) => report.sides.flatMap(({ name }) => rowOf(one, name))),
  );
}

function rowOf(one: CaseReport, name: string): readonly (readonly string[])[] {
  const side = one.sides[name];
  if (side === undefined) return [];
  if ('skipped' in side)
    return [
      [one.name, '', name, ...Array<string>(head.length - 4).fill(''), `skipped: ${side.skipped}`],
    ];
  const { perSecond, cpuUs, userUs, kernelUs, p50Ms, p99Ms, memoryMiB, updatesPerSecond, ours } =
    side;
  return [
    [
      one.name,
      String(one.bytes),
      name,
      figure(perSecond.median),
      figure(cpuUs.median),
      rangeOf(cpuUs),
      figure(userUs.median),
      figure(kernelUs.median),
      figure(p50Ms.median),
      figure(p99Ms.median),
      figure(memoryMiB),
      updatesPerSecond.median === 0 ? '' : figure(updatesPerSecond.median),
      ours === undefined ? '' : `${ours.cpu.toFixed(2)} ×`,
      ours === undefined ? '' : `${ours.throughput.toFixed(2)} ×`,
    ],
  ];
}

/** The cost of an update, as lines of text. */
export function updateLines({ updateUs }: Report): readonly string[] {
  return Object.entries(updateUs).map(
    ([name, us]) => `An update alone takes ${name} ${figure(us)} µs of processor time`,
  );
}

/** How updates delay responses, as a table for the terminal. */
export function pacedTable(paced: readonly PacedReport[]): string {
  return formatTable(
    [
      `at ${pacedPerSecond} requests/s`,
      'p50 ms',
      'updates',
      'p99 ms',
      'updates',
      'p99 is',
      'updates/s',
    ],
    paced.map(({ name, quiet, updates, p99Ratio, updatesPerSecond }) => [
      name,
      figure(quiet.p50Ms.median),
      figure(updates.p50Ms.median),
      figure(quiet.p99Ms.median),
      figure(updates.p99Ms.median),
      `${p99Ratio.toFixed(2)} ×`,
      figure(updatesPerSecond.median),
    ]),
  );
}

/** The duration and the memory of a start, as lines of text. */
export function startUpLines({
  rows,
  secondsToReady,
  idleMiB,
  ...loaded
}: StartUp): readonly string[] {
  return [
    `Start to ready with ${rows.toLocaleString('en')} closes: ${figure(secondsToReady.median)} s (${rangeOf(secondsToReady)})`,
    `Resident when idle: ${figure(idleMiB.median)} MiB (${rangeOf(idleMiB)})`,
    `Resident after every history was requested: ${figure(loaded.loadedMiB)} MiB, peak ${figure(loaded.peakMiB)} MiB`,
  ];
}

function rangeOf({ least, most }: Spread): string {
  return `${figure(least)}–${figure(most)}`;
}
