import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  adviceText,
  operatorKnows,
  type Suggestion,
} from '../../import/refusals/import-refusal.ts';
import {
  SharedAdvice,
  type FileResult,
  type ImportSummary,
} from '../../import/reports/import-summary.ts';
import { parsePlainDate, toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { formatFile, formatProgress, summaryLines } from './import-report.ts';

function formatSummary(...args: Parameters<typeof summaryLines>): string {
  return `${summaryLines(...args).join('\n')}\n`;
}

const counts = {
  read: 1200,
  added: 1100,
  changed: 50,
  same: 40,
  rejected: 10,
  suspicious: 1,
  replaced: 2,
};
const day = toEpochDay(parsePlainDate('2021-11-04') ?? assert.fail());
const summary: ImportSummary = {
  files: [
    {
      outcome: 'imported',
      file: 'a.csv',
      layout: 'rava-history',
      counts,
      byTicker: new Map([['AL30' as Ticker, counts]]),
      columnsUnknown: [],
      columnsDoubtful: [],
      columnsUnused: [],
      isAdjusted: false,
      columnsOfActions: [],
    },
    {
      outcome: 'refused',
      file: 'b.csv',
      code: 'ambiguous',
      reason: 'reads both ways',
      problem: 'reads both ways',
    },
  ],
  totals: counts,
  byTicker: new Map([['AL30' as Ticker, counts]]),
  byReason: new Map([['no such date', 10]]),
  suspicious: [
    {
      file: 'a.csv',
      ticker: 'AL30' as Ticker,
      day,
      suspicion: 'decimal-slip',
      close: 6.446,
      previous: 6446,
    },
  ],
  replaced: [
    {
      ticker: 'AL30' as Ticker,
      day,
      stored: 6440,
      storedSource: 'data912',
      offered: 6446,
      offeredSource: 'import:a.csv',
    },
    { ticker: 'GGAL' as Ticker, day, stored: 1, offered: 2, offeredSource: 'import:a.csv' },
  ],
};

test('the summary counts the closes, names the file of rejected rows, and lists suspicious closes', () => {
  assert.equal(
    formatSummary(summary, { rejectsFile: 'data/rejects/1.csv', verbose: false }),
    `Suspicious closes, kept:
  AL30 2021-11-04: 6.446 after 6446: the price differs by a factor near a power of ten from the prices beside it: another unit, or a lost decimal point
Closes of other sources that were replaced: 2
  AL30 2021-11-04: 6440 of data912 by 6446
  GGAL 2021-11-04: 1 of an unknown source by 2
Rejected rows, in data/rejects/1.csv:
  10: no such date
Files: 1 imported, 1 refused.
Closes: read 1,200, added 1,100, changed 50, same 40, rejected 10, suspicious 1.
`,
  );
});

test('--verbose adds the counts of each instrument, and a dry run says that it is one', () => {
  const text = formatSummary(summary, { rejectsFile: undefined, verbose: true, dryRun: true });
  assert.match(text, /By instrument:\n {2}AL30: read 1,200, added 1,100/);
  assert.match(text, /Dry run, nothing stored\./);
});

test('each file is one line: its layout and counts, or the reason of its refusal', () => {
  assert.deepEqual(
    summary.files.map((file) => formatFile(file)),
    [
      'imported  a.csv (rava-history) AL30: read 1,200, added 1,100, changed 50, same 40, rejected 10, suspicious 1',
      'refused   b.csv: reads both ways',
    ],
  );
});

test('what a file holds cannot break its line, flood it or command the terminal', () => {
  const line = formatFile({
    outcome: 'refused',
    file: 'a\nimported  b.csv',
    code: 'unknown-ticker',
    reason: `unknown ticker \u001b[2J${'x'.repeat(1_000_000)}`,
    problem: '',
  });
  assert.ok(
    line.startsWith(String.raw`refused   a\u000aimported  b.csv: unknown ticker \u001b[2Jxx`),
  );
  assert.ok(line.length < 6_000);
});

test('a file that is left out is a line of its own, and counted by itself', () => {
  const skipped = { outcome: 'skipped', file: 'a', reason: 'it is a symbolic link' } as const;
  assert.equal(formatFile(skipped), 'left out  a: it is a symbolic link');
  const text = formatSummary(
    { ...summary, files: [...summary.files, skipped] },
    { rejectsFile: undefined, verbose: false },
  );
  assert.match(text, /\nFiles: 1 imported, 1 refused, 1 left out\.\n/);
});

test('the line of a file names the columns that nothing was read from', () => {
  const [file = assert.fail()] = summary.files;
  assert.ok(file.outcome === 'imported');
  assert.match(
    formatFile({
      ...file,
      columnsUnknown: ['NADA'],
      columnsDoubtful: [],
      columnsUnused: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    }),
    /suspicious 1; not in the universe: NADA; columns not used: a, b, c, d, e and 2 more$/,
  );
});

test('progress is a bar where the size is known, and rows where it is not', () => {
  const progress = { file: 'a.csv', bytesRead: 50, bytesTotal: 100, rowsRead: 1234 };
  assert.equal(formatProgress(progress), '[############------------]  50%  1,234 rows  a.csv');
  assert.equal(formatProgress({ ...progress, bytesTotal: undefined }), 'a.csv  1,234 rows');
});

test('without --verbose 20 replaced closes are listed, and the others are counted', () => {
  const [one = assert.fail()] = summary.replaced;
  const replaced = Array.from({ length: 25 }, () => one);
  const totals = { ...counts, replaced: 30 };
  const lines = (verbose: boolean) =>
    formatSummary({ ...summary, replaced, totals }, { rejectsFile: undefined, verbose }).split(
      '\n',
    );
  const listed = (verbose: boolean) =>
    lines(verbose).filter((line) => line.includes('of data912 by')).length;
  assert.equal(listed(false), 20);
  assert.ok(lines(false).includes('  and 10 more'));
  assert.equal(listed(true), 25);
  assert.ok(lines(true).includes('  and 5 more'));
  const none = formatSummary(
    { ...summary, replaced: [] },
    { rejectsFile: undefined, verbose: true },
  );
  assert.doesNotMatch(none, /replaced/);
});

test('the files whose closes are adjusted for dividends are named once, with what to do', () => {
  const [file, ...others] = summary.files;
  if (file?.outcome !== 'imported') assert.fail();
  const adjusted = { ...file, isAdjusted: true };
  assert.match(formatFile(adjusted), /; adjusted for dividends$/);
  const files = [adjusted, { ...adjusted, file: 'c.csv' }, ...others];
  const text = formatSummary({ ...summary, files }, { rejectsFile: undefined, verbose: false });
  assert.match(text, /^Warning: .* auto_adjust=False .*:\n {2}a\.csv\n {2}c\.csv\n/m);
  const plain = formatSummary(summary, { rejectsFile: undefined, verbose: false });
  assert.doesNotMatch(plain, /Warning/);
});

function refused(file: string, suggestions: readonly Suggestion[]): FileResult {
  const problem = `${file} may be two`;
  const advice = { kind: 'choose-instrument', suggestions } as const;
  const reason = `${problem}; ${adviceText(advice)}`;
  return { outcome: 'refused', file, code: 'ambiguous', reason, problem, advice };
}

test('the advice of several files is printed once, with their number', () => {
  const files = ['AA', 'KO', 'PEP'].map((ticker) =>
    refused(ticker, [{ ticker }, { ticker: `${ticker}_US` }, { suffix: '' }, { suffix: '_US' }]),
  );
  const shared = new SharedAdvice();
  assert.deepEqual(
    files.map((file) => formatFile(file, shared)),
    [
      'refused   AA: AA may be two; choose with --ticker AA, --ticker AA_US, --suffix "" or --suffix _US',
      'refused   KO: KO may be two',
      'refused   PEP: PEP may be two',
    ],
  );
  const options = { rejectsFile: undefined, verbose: false };
  const sentence = '3 refused files: choose with --suffix "" or --suffix _US.\n';
  assert.ok(formatSummary({ ...summary, files }, options).includes(sentence));
  const one = { ...summary, files: files.slice(0, 1) };
  assert.ok(!formatSummary(one, options).includes('refused files'));
});

test('files that share no option keep their advice, and so does each that asks for its own ticker', () => {
  const shared = new SharedAdvice();
  for (const [file, suggestion] of [
    ['a', { ticker: operatorKnows }],
    ['b', { ticker: operatorKnows }],
    ['c', { suffix: '_US' }],
  ] as const) {
    assert.match(formatFile(refused(file, [suggestion]), shared), /; choose with --/);
  }
  assert.deepEqual(shared.sentences, []);
});
