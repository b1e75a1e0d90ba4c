import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { silentLog } from '../../lib/reports/log.ts';
import type { RejectedRow, RowReason } from './source-fetch.ts';
import { DifferenceReport } from './report-differences.ts';

/** A report whose counts and log lines are collected, with a clock that the test sets. */
function makeReport() {
  const counts: string[] = [];
  const rejected: string[] = [];
  const lines: unknown[] = [];
  const clock = { now: 0, monotonic: () => clock.now };
  const report = new DifferenceReport({
    clock,
    log: { ...silentLog, warn: (details, message) => void lines.push([message, details]) },
    count: (source, outcome, count) => void counts.push(`${source} ${outcome} ${count}`),
    countRejected: (source, reason, count) => void rejected.push(`${source} ${reason} ${count}`),
  });
  return { report: reportsOf(report), counts, rejected, lines, clock };
}

/** A source that gave nothing. */
const nothing = {
  source: 'one',
  added: 0,
  corrected: 0,
  replaced: 0,
  takenOver: 0,
  instruments: 0,
  rejected: 0,
  rejectedByReason: new Map(),
  doubtfulRows: [],
  otherRows: [],
  different: 0,
  conflicts: [],
  replacements: [],
  moves: [],
  actions: 0,
  contradicted: [],
  waiting: 0,
  failed: [],
};

type Given = Parameters<DifferenceReport['fetched']>[0];

/** What a source gave, one part at a time. */
function reportsOf(report: DifferenceReport) {
  const fetched = (source: string, parts: Partial<Given>): void =>
    report.fetched({ ...nothing, source, ...parts });
  return {
    replaced: (conflicts: readonly CloseConflict[]) => report.replaced(conflicts),
    corrected: (source: string, corrected: number) => fetched(source, { corrected }),
    kept: (source: string, conflicts: Given['conflicts'], different: number) =>
      fetched(source, { conflicts, different }),
    preferred: (source: string, replacements: Given['replacements'], replaced: number) =>
      fetched(source, { replacements, replaced }),
    moved: (source: string, moves: Given['moves']) => fetched(source, { moves }),
    rejected: (
      source: string,
      rejectedByReason: Given['rejectedByReason'],
      doubtfulRows: Given['doubtfulRows'],
    ) => fetched(source, { rejectedByReason, doubtfulRows }),
  };
}

function conflict(ticker: string, source?: string): CloseConflict {
  return {
    ticker: ticker as Ticker,
    day: 20_000 as EpochDay,
    stored: 1,
    storedSource: 'two',
    offered: 2,
    ...(source !== undefined && { offeredSource: source }),
  };
}

const kept = 'a source has other closes than the stored ones, which are kept';

test('the first conflicts of a source are logged at once, with three samples', () => {
  const { report, counts, lines } = makeReport();
  const list = ['A', 'B', 'C', 'D'].map((ticker) => conflict(ticker, 'one'));
  report.kept('one', list, 4);
  assert.deepEqual(counts, ['one kept 4']);
  const samples = ['A', 'B', 'C'].map((one) => `${one} 2024-10-04: stored 1 of two, offered 2`);
  assert.deepEqual(lines, [[kept, { source: 'one', count: 4, samples }]]);
});

test('a source has at most one line in five minutes, with the number since the last line', () => {
  const { report, counts, lines, clock } = makeReport();
  report.kept('one', [conflict('A', 'one')], 1);
  clock.now = 299_999;
  report.kept('one', [conflict('B', 'one'), conflict('C', 'one')], 2);
  assert.equal(lines.length, 1);
  clock.now = 300_000;
  report.kept('one', [conflict('D', 'one'), conflict('E', 'one')], 2);
  assert.deepEqual(counts, ['one kept 1', 'one kept 2', 'one kept 2']);
  const samples = ['B', 'C', 'D'].map((one) => `${one} 2024-10-04: stored 1 of two, offered 2`);
  assert.deepEqual(lines[1], [kept, { source: 'one', count: 4, samples }]);
  clock.now = 600_000;
  report.kept('one', [conflict('F', 'one')], 1);
  const last = ['F 2024-10-04: stored 1 of two, offered 2'];
  assert.deepEqual(lines[2], [kept, { source: 'one', count: 1, samples: last }]);
});

test('sources and outcomes have lines of their own, and a source that is not known is named as such', () => {
  const { report, counts, lines } = makeReport();
  report.replaced([conflict('A', 'one'), conflict('B'), conflict('C', 'one')]);
  report.kept('one', [conflict('D', 'one')], 1);
  assert.deepEqual(counts, ['one replaced 2', 'unknown replaced 1', 'one kept 1']);
  assert.deepEqual(
    lines.map((line) => (line as readonly unknown[])[0]),
    [
      'closes of sessions replaced those of other sources',
      'closes of sessions replaced those of other sources',
      kept,
    ],
  );
  report.kept('one', [], 0);
  report.replaced([]);
  assert.equal(counts.length, 3);
});

test('more conflicts may be counted than are listed, and an unknown stored source is named as such', () => {
  const { report, counts, lines } = makeReport();
  const { storedSource: _, ...unknown } = conflict('A', 'one');
  report.kept('one', [unknown], 12_000);
  assert.deepEqual(counts, ['one kept 12000']);
  const samples = ['A 2024-10-04: stored 1 of unknown, offered 2'];
  assert.deepEqual(lines, [[kept, { source: 'one', count: 12_000, samples }]]);
});

test('corrections are counted and not logged', () => {
  const { report, counts, lines } = makeReport();
  report.corrected('one', 0);
  report.corrected('one', 1);
  assert.deepEqual(counts, ['one corrected 1']);
  assert.deepEqual(lines, []);
});

test('without a counter the conflicts are logged', () => {
  const lines: unknown[] = [];
  const log = { ...silentLog, warn: (details: object) => void lines.push(details) };
  const report = reportsOf(new DifferenceReport({ clock: { monotonic: () => 0 }, log }));
  report.corrected('one', 1);
  report.kept('one', [conflict('A', 'one')], 1);
  assert.equal(lines.length, 1);
});

test('closes that replaced those of later sources are logged apart from those of sessions, and counted as replaced', () => {
  const { report, counts, lines } = makeReport();
  report.preferred('one', [conflict('A', 'one')], 3);
  report.preferred('one', [], 0);
  assert.deepEqual(counts, ['one replaced 3']);
  const samples = ['A 2024-10-04: stored 1 of two, offered 2'];
  const message = 'closes of a source replaced those of sources after it in the configuration';
  assert.deepEqual(lines, [[message, { source: 'one', count: 3, samples }]]);
});

function row(reason: RowReason): RejectedRow {
  return { ticker: 'A' as Ticker, sample: '{"close":7}', reason };
}

test('rejected rows are counted by reason, and only doubtful closes are logged', () => {
  const { report, rejected, lines } = makeReport();
  const counts = new Map<RowReason, number>([
    ['decimal-slip', 1],
    ['not-traded', 20],
  ]);
  report.rejected('one', counts, [row('decimal-slip')]);
  report.rejected('two', new Map([['not-traded', 1]]), []);
  assert.deepEqual(rejected, ['one decimal-slip 1', 'one not-traded 20', 'two not-traded 1']);
  assert.equal(lines.length, 1);
  const [message, details] = lines[0] as [string, { readonly samples: readonly string[] }];
  assert.equal(message, 'doubtful closes of a source are not stored');
  assert.match(
    details.samples[0] ?? '',
    /^A \{"close":7\}: the price differs by a factor near a power/,
  );
});

test('moves that look like those of a split are logged with samples, and none are not', () => {
  const { report, lines } = makeReport();
  report.moved('one', []);
  const previous = { day: 19_999 as EpochDay, close: 101 };
  const move = {
    day: 20_000 as EpochDay,
    close: 10.2,
    previous,
    name: 'unrecorded-split' as const,
  };
  report.moved('one', [{ ticker: 'A' as Ticker, ...move }]);
  const samples = ['A 2024-10-04: 10.2, after 101 on 2024-10-03'];
  const message = 'closes of a source moved as by a split that is not recorded';
  assert.deepEqual(lines, [[message, { source: 'one', count: 1, samples }]]);
});
