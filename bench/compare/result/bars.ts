import { figure } from '../../support/print.ts';
import { ownName, unscaledName } from '../cases/side.ts';
import { updatesPerBatch } from '../load/clients/update-bodies.ts';
import { bareHttp2 } from '../sides/bare-http2.ts';
import type { CaseReport, Report } from './report.ts';

/** An aim of the project, the measured figure, and whether the aim is met. */
export interface Bar {
  readonly bar: string;
  readonly where: string;
  readonly got: number;
  readonly isMet: boolean;
}

/** What users feel. How requests compare with those of other servers is in the tables, without an aim. */
const most = {
  /** Response time of 99 of 100 requests while 1,000 updates arrive per second, in milliseconds. */
  p99Ms: 2,
  /** Processor time of a small response over HTTP/2, divided by that of a bare server on the same Node. */
  ofBareHttp2: 1.2,
  /** Processor time of a response of 34 kB over HTTP/2, in microseconds. */
  largeHttp2Us: 30,
  /** Processor time of mixed requests behind a proxy, divided by that of nginx with files. */
  mixedOfNginx: 2,
  /** Kernel time of a large response, divided by that of nginx, which copies no file. */
  kernelOfNginx: 1.1,
  /** Processor time of a push of 20 updates, in milliseconds. */
  pushMs: 0.6,
  secondsToReady: 0.5,
  idleMiB: 100,
  loadedMiB: 230,
  /** Processor time with ten times the history, divided by that without. */
  scaled: 1.05,
} as const;

/** Bodies from here on are large: the kernel copies them for longer than all else takes. */
const largeBytesMin = 10_000;

/** Compares a report with the aims. Aims that were not measured are left out. */
export function judge(report: Report): readonly Bar[] {
  const { cases, startUp, paced, updateUs } = report;
  const bars: Bar[] = paced.map(({ name, updates }) =>
    atMost('p99 with updates, ms', name, updates.p99Ms.median, most.p99Ms),
  );
  bars.push(...cases.flatMap(judgeCase));
  const ownUpdateUs = updateUs[ownName];
  if (ownUpdateUs !== undefined) {
    const pushMs = (ownUpdateUs * updatesPerBatch) / 1e3;
    bars.push(atMost('CPU of a push of 20 updates, ms', 'updates', pushMs, most.pushMs));
  }
  // The aims of a start are for the default history.
  const isScaled = report.sides.some(({ name }) => name === unscaledName);
  if (startUp === undefined || isScaled) return bars;
  const { secondsToReady, idleMiB, loadedMiB } = startUp;
  return [
    ...bars,
    atMost('seconds to ready', 'start', secondsToReady.median, most.secondsToReady),
    atMost('MiB idle', 'start', idleMiB.median, most.idleMiB),
    atMost('MiB loaded', 'start', loadedMiB, most.loadedMiB),
  ];
}

function judgeCase(one: CaseReport): readonly Bar[] {
  const { name, carrier, manner, bytes, withUpdates, sides } = one;
  const [nginx, bare, unscaled] = ['nginx', bareHttp2.name, unscaledName].map((side) =>
    oursBeside(sides[side]),
  );
  const own = sides[ownName];
  const isLarge = bytes >= largeBytesMin;
  const bars: Bar[] = [];
  if (carrier === 'h2' && !withUpdates && !isLarge && bare !== undefined) {
    bars.push(atMost('small over HTTP/2, our CPU ÷ bare', name, bare.cpu, most.ofBareHttp2));
  }
  if (carrier === 'h2' && !withUpdates && isLarge && own !== undefined && !('skipped' in own)) {
    bars.push(atMost('34 kB over HTTP/2, CPU µs', name, own.cpuUs.median, most.largeHttp2Us));
  }
  if (manner === 'mixed' && nginx !== undefined) {
    bars.push(atMost('mixed behind a proxy, our CPU ÷ nginx', name, nginx.cpu, most.mixedOfNginx));
  }
  const isPlain = carrier === 'http' && manner === 'plain' && !withUpdates;
  if (isPlain && isLarge && nginx !== undefined) {
    bars.push(atMost('large bodies, our kernel ÷ nginx', name, nginx.kernel, most.kernelOfNginx));
  }
  if (unscaled !== undefined) {
    bars.push(atMost('CPU with 10 times the history ÷ without', name, unscaled.cpu, most.scaled));
  }
  return bars;
}

type SideOfCase = CaseReport['sides'][string];

/** Our figures divided by those of a side; undefined if it was not measured. */
function oursBeside(
  side: SideOfCase | undefined,
): Exclude<SideOfCase, { readonly skipped: string }>['ours'] {
  return side === undefined || 'skipped' in side ? undefined : side.ours;
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
