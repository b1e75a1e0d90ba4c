import { figure } from '../../support/print.ts';
import type { Spread } from '../../support/statistics.ts';
import { barLines, judge } from './bars.ts';
import { updateLines } from './tables.ts';
import { pacedPerSecond } from '../load/paced.ts';
import { ownName } from '../cases/side.ts';
import type { CaseReport, Report } from './report.ts';

/** The section of docs/performance.md that a run writes. */
export function reportMarkdown(report: Report): string {
  const { machine, sides, rounds, seconds, rows, startUp } = report;
  const rivals = sides.filter(({ name, skipped }) => skipped === undefined && name !== ownName);
  const parts = [
    `Measured on ${machine.date} at commit \`${machine.commit}\`: ${machine.processor}, ` +
      `${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}; ` +
      `load average ${machine.loadAverage.toFixed(1)} before the run; ${rows.toLocaleString('en')} closes; ${rounds} rounds of ${seconds} s for each side and case.`,
    sides.map(({ title, version, skipped }) => `- ${title}: ${version ?? `skipped, ${skipped}`}`),
    '**Processor time per request**, in microseconds: the median of the rounds, and in brackets how many times ours it is. Then the requests per second that Pizarra serves on one core.',
    casesTable(report.cases, rivals),
    updateLines(report).map((line) => `- ${line}`),
    `**Waiting at ${pacedPerSecond.toLocaleString('en')} requests a second**, in milliseconds, without and with 1,000 updates/s.`,
    table(
      ['case', 'p50', 'p50, updates', 'p99', 'p99, updates', 'p99 is'],
      report.paced.map(({ title, quiet, updates, p99Ratio }) => [
        title,
        rangeOf(quiet.p50Ms),
        rangeOf(updates.p50Ms),
        rangeOf(quiet.p99Ms),
        rangeOf(updates.p99Ms),
        `${p99Ratio.toFixed(2)} ×`,
      ]),
    ),
    startUp === undefined
      ? []
      : [
          `- from start to ready: ${rangeOf(startUp.secondsToReady)} s`,
          `- resident when idle: ${rangeOf(startUp.idleMiB)} MiB`,
          `- resident after all ${rows.toLocaleString('en')} closes were requested: ${figure(startUp.loadedMiB)} MiB; peak ${figure(startUp.peakMiB)} MiB`,
        ],
    barLines(judge(report), { listsMissed: false }).map((line) =>
      line.startsWith(' ') ? `- ${line.trim()}` : `${line}\n`,
    ),
  ];
  return parts.map((part) => (typeof part === 'string' ? part : part.join('\n'))).join('\n\n');
}

/** A row for each request, with its figures without and with updates. */
function casesTable(cases: readonly CaseReport[], rivals: Report['sides']): string {
  const rows = cases
    .filter(({ withUpdates }) => !withUpdates)
    .map((plain) => [plain, cases.find(({ name }) => name === `${plain.name}+updates`)] as const);
  const hasUpdates = rows.some(([, updates]) => updates !== undefined);
  const suffixes = hasUpdates ? ['', ', updates'] : [''];
  return table(
    [
      'case',
      'bytes',
      ...suffixes.flatMap((suffix) =>
        ['Pizarra', ...rivals.map(({ title }) => title)].map((title) => title + suffix),
      ),
      ...suffixes.map((suffix) => `requests/s${suffix}`),
    ],
    rows.map(([plain, updates]) => {
      const variants = hasUpdates ? [plain, updates] : [plain];
      return [
        plain.title,
        String(plain.bytes),
        ...variants.flatMap((one) => [
          figureOf(one, ownName, (side) => figure(side.cpuUs.median)),
          ...rivals.map(({ name }) => figureOf(one, name, timesOurs)),
        ]),
        ...variants.map((one) => figureOf(one, ownName, (side) => figure(side.perSecond.median))),
      ];
    }),
  );
}

/** Replaces a section of a document, between the two comments with its name. */
export function replaceSection(document: string, name: string, content: string): string {
  const begin = `<!-- ${name}: begin -->`;
  const end = `<!-- ${name}: end -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`the document has no comments for the section "${name}"`);
  return `${document.slice(0, from + begin.length)}\n\n${content}\n\n${document.slice(to)}`;
}

type Measured = Exclude<CaseReport['sides'][string], { readonly skipped: string }>;

function figureOf(
  one: CaseReport | undefined,
  name: string,
  show: (side: Measured) => string,
): string {
  const side = one?.sides[name];
  if (side === undefined) return '–';
  return 'skipped' in side ? `– (${side.skipped})` : show(side);
}

function timesOurs({ cpuUs, ours }: Measured): string {
  const times = ours === undefined ? '' : ` (${figure(1 / ours.cpu)} ×)`;
  return `${figure(cpuUs.median)}${times}`;
}

function rangeOf({ median, least, most }: Spread): string {
  return `${figure(median)} (${figure(least)}–${figure(most)})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
