import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barLines, judge } from '../../bench/compare/result/bars.ts';
import { replaceSection, reportMarkdown } from '../../bench/compare/result/markdown.ts';
import { cases, shortCases } from '../../bench/compare/cases/cases.ts';
import type { Sample } from '../../bench/compare/load/measure.ts';
import { plot } from '../../bench/compare/result/plot.ts';
import { reportCase, type CaseReport, type Report } from '../../bench/compare/result/report.ts';
import { median, type Spread } from '../../bench/support/statistics.ts';

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
  assert.deepEqual(side.ours, { cpu: 1, kernel: 1, throughput: 1 });
  assert.equal(side.cpuUs.median, 12);
});

/** The report of a case of the program beside nginx and a bare HTTP/2 server, which take 10 µs, 2.5 of them in the kernel. */
function judged(name: string, cpuUs: number, bytes: number): readonly (readonly unknown[])[] {
  const measured = cases.find((each) => each.name === name);
  assert.ok(measured !== undefined);
  const samples = new Map(
    Object.entries({ pizarra: cpuUs, nginx: 10, http2: 10 }).map(([side, us]) => [
      side,
      [sample(us, 1)],
    ]),
  );
  const report = reportCase({ case: measured, bytes, sides: samples });
  const bars = judge({ ...reportOf({}), cases: [report] });
  return bars.map(({ bar, where, isMet }) => [bar, where, isMet]);
}

test('an aim applies to the cases that it is about, and to no other', () => {
  const kernel = 'large bodies, our kernel ÷ nginx, at most 1.1';
  const bare = 'small over HTTP/2, our CPU ÷ bare, at most 1.2';
  const large = '34 kB over HTTP/2, CPU µs, at most 30';
  const mixed = 'mixed behind a proxy, our CPU ÷ nginx, at most 2';
  for (const [name, cpuUs, bytes, verdicts] of [
    ['one', 50, 182, []],
    ['bonos', 11, 14_000, [[kernel, 'bonos', true]]],
    ['bonos', 12, 14_000, [[kernel, 'bonos', false]]],
    ['bonos+updates', 12, 14_000, []],
    ['gzip', 12, 34_000, []],
    ['tls-ced', 12, 34_000, []],
    ['h2-one', 12, 182, [[bare, 'h2-one', true]]],
    ['h2-one', 13, 182, [[bare, 'h2-one', false]]],
    ['h2-one+updates', 13, 182, []],
    ['h2-ced', 30, 34_000, [[large, 'h2-ced', true]]],
    ['h2-ced', 31, 34_000, [[large, 'h2-ced', false]]],
    ['proxy-mixed', 20, 182, [[mixed, 'proxy-mixed', true]]],
    ['proxy-mixed+updates', 21, 182, [[mixed, 'proxy-mixed+updates', false]]],
    ['proxy-one', 50, 182, []],
  ] as const) {
    assert.deepEqual(judged(name, cpuUs, bytes), verdicts, `${name} ${cpuUs}`);
  }
});

/** A spread around a median. */
function spread(middle: number): Spread {
  return { median: middle, least: 0, most: 1_000 };
}

test('what users feel of updates, of a start and of memory is judged by the median', () => {
  const [quiet, slow] = [1, 2.1].map((p99) => ({ p50Ms: spread(p99), p99Ms: spread(p99) }));
  assert.ok(quiet !== undefined && slow !== undefined);
  const paced = { title: '', p99Ratio: 9, updatesPerSecond: spread(1_000), quiet };
  const startUp = { rows: 1, secondsToReady: spread(0.6), idleMiB: spread(100), loadedMiB: 231 };
  const bars = judge({
    ...reportOf({}),
    updateUs: { pizarra: 31, sqlite: 1 },
    paced: [
      { ...paced, name: 'one', updates: quiet },
      { ...paced, name: 'lid', updates: slow },
    ],
    startUp: { ...startUp, peakMiB: 1_000 },
  });
  assert.deepEqual(barLines(bars), [
    '2 of 6 aims are met.',
    '  p99 with updates, ms, at most 2: 1 of 2 met; missed: lid 2.1',
    '  CPU of a push of 20 updates, ms, at most 0.6: 0.62, missed',
    '  seconds to ready, at most 0.5: 0.6, missed',
    '  MiB idle, at most 100: 100, met',
    '  MiB loaded, at most 230: 231, missed',
  ]);
});

test('the history of the default size is the reference of a larger one', () => {
  const samples = { pizarra: [sample(12, 1)], unscaled: [sample(10, 1)] };
  const start = { rows: 1, secondsToReady: spread(9), idleMiB: spread(999) };
  const startUp = { ...start, loadedMiB: 999, peakMiB: 999 };
  assert.deepEqual(barLines(judge({ ...reportOf(samples), startUp })), [
    '0 of 1 aims are met.',
    '  CPU with 10 times the history ÷ without, at most 1.05: 1.2, missed',
  ]);
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
  assert.ok(page.includes('0 of 0 aims are met.'), page);
  const [, head] = /^\| case \|(.*)$/m.exec(reportMarkdown({ ...report, cases: [quiet] })) ?? [];
  assert.equal(head, ' bytes | Pizarra | nginx | requests/s |');
});

test('the plot has a bar for every measured side', () => {
  const svg = plot(reportOf({ pizarra: [sample(12, 1)], nginx: [sample(10, 1)] }));
  assert.equal(svg.match(/height="12"/g)?.length, 2);
});
