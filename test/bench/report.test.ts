import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barLines, judge } from '../../bench/compare/result/bars.ts';
import { replaceSection, reportMarkdown } from '../../bench/compare/result/markdown.ts';
import { cases, shortCases } from '../../bench/compare/cases/cases.ts';
import type { Sample } from '../../bench/compare/load/measure.ts';
import { plot } from '../../bench/compare/result/plot.ts';
import { reportCase } from '../../bench/compare/result/report.ts';
import type { CaseReport, Report } from '../../bench/compare/result/report.ts';
import { median } from '../../bench/support/statistics.ts';

const [first] = cases;
assert.ok(first !== undefined);
const one = first;

function sample(cpuUs: number, perSecond: number): Sample {
  const times = { p50Ms: 1, p99Ms: 2, memoryBytes: 1024 ** 2, updatesPerSecond: 0 };
  return { ...times, perSecond, userUs: cpuUs * 0.75, kernelUs: cpuUs * 0.25 };
}

function reportOf(sides: Readonly<Record<string, readonly Sample[]>>): Report {
  const program = { commit: 'c', date: 'd' };
  const machine = {
    processor: 'p',
    cores: 2,
    memoryGiB: 1,
    system: 's',
    loadAverage: 0,
    ...program,
  };
  return {
    machine,
    rounds: 3,
    seconds: 1,
    rows: 1,
    sides: Object.keys(sides).map((name) => ({ name, title: name })),
    cases: [reportCase({ case: one, bytes: 1, sides: new Map(Object.entries(sides)) })],
    updateUs: {},
    paced: [],
  };
}

/** The report of a case in which both sides take the same processor time. */
function named(name: string, cpuUs: number): CaseReport {
  const samples = ['pizarra', 'nginx'].map((side) => [side, [sample(cpuUs, 1)]] as const);
  return { ...reportCase({ case: one, bytes: 1, sides: new Map(samples) }), name };
}

test('the median is the middle value, or the mean of the two middle values', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.ok(Number.isNaN(median([])));
});

test('a ratio is the median of the ratios of the rounds, not the ratio of the medians', () => {
  const { cases: reports } = reportOf({
    pizarra: [sample(10, 100), sample(40, 25), sample(12, 90)],
    nginx: [sample(10, 100), sample(20, 50), sample(12, 90)],
  });
  const side = reports[0]?.sides['nginx'];
  assert.ok(side !== undefined && !('skipped' in side));
  assert.deepEqual(side.ours, { cpu: 1, throughput: 1 });
  assert.equal(side.cpuUs.median, 12);
});

test('an aim that is not met is reported as missed, and one that was not measured is not', () => {
  const missed = judge(
    reportOf({
      pizarra: [sample(13, 1), sample(13, 1), sample(13, 1)],
      nginx: [sample(10, 1), sample(10, 1), sample(10, 1)],
      sqlite: [sample(131, 1), sample(131, 1), sample(131, 1)],
    }),
  );
  const verdicts = missed.map(({ bar, where, isMet }) => [bar, where, isMet]);
  assert.deepEqual(verdicts, [
    ['our CPU ÷ nginx, at most 1.25', one.name, false],
    ['CPU of sqlite ÷ ours, at least 10', one.name, true],
    ['our CPU ÷ nginx, median of all cases, at most 1', '1 cases', false],
  ]);
  assert.deepEqual(barLines(missed), [
    '1 of 3 aims are met.',
    '  our CPU ÷ nginx, at most 1.25: 1.3, missed',
    '  CPU of sqlite ÷ ours, at least 10: 10.1, met',
    '  our CPU ÷ nginx, median of all cases, at most 1: 1.3, missed',
  ]);
});

test('a request behind a proxy is compared with the same request without one, and HTTP/2 has its own aim', () => {
  const base = reportOf({});
  const reports = [named('one', 10), named('proxy-one', 12), named('h2-one', 31)];
  const missed = judge({ ...base, cases: reports }).filter(({ isMet }) => !isMet);
  assert.deepEqual(
    missed.map(({ bar, where }) => [bar, where]),
    [
      ['our CPU over HTTP/2, µs, at most 30', 'h2-one'],
      ['our CPU behind a proxy ÷ without a proxy, at most 1.1', 'proxy-one'],
    ],
  );
});

test('every case has a unique name, and the short run has each carrier, without and with updates', () => {
  assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
  const carriers = new Set(
    shortCases.map(({ carrier, withUpdates }) => `${carrier} ${withUpdates}`),
  );
  assert.equal(carriers.size, 8);
});

test('a result replaces the older one between its comments, which must exist', () => {
  const page = 'a\n<!-- result: begin -->\nold\n<!-- result: end -->\nz\n';
  const once = replaceSection(page, 'result', 'new');
  assert.ok(once.includes('\nnew\n') && !once.includes('old'));
  assert.ok(once.startsWith('a\n') && once.endsWith('\nz\n'));
  assert.equal(replaceSection(once, 'result', 'new'), once);
  assert.throws(() => replaceSection(page, 'other', 'new'), /no comments for the section "other"/);
});

test('the document has one row for a request, with its figures without and with updates', () => {
  const quiet = named('one', 10);
  const updates = { ...named('one+updates', 12), withUpdates: true };
  const alone = named('proxy-fresh-one', 17);
  const report = reportOf({ pizarra: [], nginx: [] });
  const page = reportMarkdown({ ...report, cases: [quiet, updates, alone] });
  const rows = page.split('\n').filter((line) => line.startsWith(`| ${one.title} |`));
  assert.deepEqual(rows, [
    `| ${one.title} | 1 | 10 | 10 (1 ×) | 12 | 12 (1 ×) | 1 | 1 |`,
    `| ${one.title} | 1 | 17 | 17 (1 ×) | – | – | 1 | – |`,
  ]);
  assert.ok(page.includes('- our CPU ÷ nginx, at most 1.25: 3 of 3 met'), page);
  const [, head] = /^\| case \|(.*)$/m.exec(reportMarkdown({ ...report, cases: [quiet] })) ?? [];
  assert.equal(head, ' bytes | Pizarra | nginx | requests/s |');
});

test('the plot has a bar for every measured side', () => {
  const svg = plot(reportOf({ pizarra: [sample(12, 1)], nginx: [sample(10, 1)] }));
  assert.equal(svg.match(/height="12"/g)?.length, 2);
});
