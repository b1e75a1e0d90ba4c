import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import type { EpochDay, PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { formatComparison } from './compare.ts';
import { openDifferenceOutput } from './differences.ts';
import { fetchLines } from './fetch.ts';
import { formatSourceProgress, outcomeOf } from './history-sources.ts';

const ticker = 'GGAL' as Ticker;
const counts = { source: 'one', requests: 1, rejected: 0, failed: [] };
const fetched = {
  ...counts,
  added: 0,
  corrected: 0,
  replaced: 0,
  takenOver: 0,
  instruments: 0,
  rejectedByReason: new Map(),
  doubtfulRows: [],
  otherRows: [],
  different: 0,
  conflicts: [],
  replacements: [],
  moves: [],
  waiting: 0,
  actions: 0,
  contradicted: [],
};
const compared = {
  ...counts,
  instruments: 0,
  compared: 0,
  different: 0,
  replaceable: 0,
  lacking: 0,
  unstored: 0,
};

test('a run has failed unless every source served every instrument', () => {
  const wasAborted = false;
  assert.equal(outcomeOf({ sources: [fetched, fetched], wasAborted }), undefined);
  assert.equal(
    outcomeOf({ sources: [fetched, { ...fetched, stopped: 'status 401' }], wasAborted }),
    'failed',
  );
  assert.equal(
    outcomeOf({
      sources: [{ ...fetched, failed: [{ ticker, message: 'x' }] }, fetched],
      wasAborted,
    }),
    'failed',
  );
  assert.equal(outcomeOf({ sources: [fetched], wasAborted: true }), 'interrupted');
});

test('the progress names the source, the place and the cause of a pause', () => {
  const progress = { source: 'one', ticker, done: 0, total: 7 };
  assert.equal(
    formatSourceProgress(progress, '1,200 closes added'),
    'one  1/7  1,200 closes added  GGAL',
  );
  const waiting = { ms: 1_001, cause: 'status 429\n' };
  assert.equal(
    formatSourceProgress({ ...progress, waiting }, 'comparing'),
    'one  1/7  comparing  GGAL  waiting 2 s: status 429\\u000a',
  );
});

test('a fetch lists ten conflicts, says how many more there are, and counts corrections where there are any', () => {
  const conflict: CloseConflict = {
    ticker,
    day: 20_000 as EpochDay,
    stored: 1,
    offered: 2,
    offeredSource: 'one',
  };
  const source = {
    ...fetched,
    corrected: 3,
    actions: 4,
    contradicted: [
      {
        ticker,
        exDay: 20_000 as EpochDay,
        type: 'split' as const,
        factor: 2,
        source: 'one',
      },
    ],
    instruments: 2,
    different: 12_000,
    conflicts: Array.from({ length: 11 }, () => conflict),
  };
  const summary = {
    sources: [source],
    missing: [],
    notOffered: [],
    wasAborted: false,
    continueAt: new Map(),
  };
  const lines = fetchLines(summary, { verbose: false });
  const line = '  GGAL 2024-10-04: stored 1 of an unknown source, one has 2 (+100 %)';
  assert.deepEqual(lines, [
    'one: 1 request, added 0 closes of 2 instruments, corrected 3 of its own, rejected 0, recorded 4 corporate actions',
    'Closes that differ from the stored ones, which are kept:',
    ...Array.from({ length: 10 }, () => line),
    '  and 11,990 more (--verbose lists more)',
    'Corporate actions that the stored closes contradict, not recorded:',
    '  GGAL 2024-10-04 split of one',
    'No close is missing.',
  ]);
  const verbose = fetchLines(summary, { verbose: true }).join('\n');
  assert.match(verbose, /\n {2}and 11,989 more\n/);
  assert.equal(verbose.split(line).length, 12);
});

/** What an output writes to standard output and to standard error. */
function outputOf(format: 'text' | 'json' | 'csv', batches: readonly (readonly CloseConflict[])[]) {
  let [out, error] = ['', ''];
  const print = (text: string) => void (out += text);
  const printError = (text: string) => void (error += text);
  const output = openDifferenceOutput(
    { json: format === 'json', csv: format === 'csv' },
    { print, printCsv: print, printError },
  );
  for (const batch of batches) output.write(batch);
  output.finish('summary\n');
  return { out, error };
}

test('differences are lines, one JSON array or CSV, and only lines share their stream with the summary', () => {
  const one = { ticker, day: 20_000 as EpochDay, stored: 1, offered: 2, offeredSource: 'one' };
  const batches = [[one, { ...one, stored: 4 }], [{ ...one, stored: 8 }]];
  const text = outputOf('text', batches);
  assert.equal(text.out.split('\n').length, 5);
  assert.deepEqual([text.out.endsWith('\nsummary\n'), text.error], [true, '']);
  const json = outputOf('json', batches);
  const rows = JSON.parse(json.out) as readonly { readonly stored: number }[];
  assert.deepEqual(
    rows.map(({ stored }) => stored),
    [1, 4, 8],
  );
  assert.equal(json.error, 'summary\n');
  assert.equal(outputOf('json', []).out, '[]\n');
  const csv = outputOf('csv', batches);
  assert.deepEqual(
    csv.out.split('\r\n').map((line) => line.split(',').slice(2, 5).join()),
    ['stored,storedSource,other', '1,,2', '4,,2', '8,,2', ''],
  );
  assert.equal(csv.error, 'summary\n');
  assert.match(outputOf('csv', []).out, /^ticker,date,.*differencePct\r\n$/);
});

test('the summary of a comparison names what failed, what is not stored and what no source has', () => {
  const source = {
    ...compared,
    compared: 1200,
    instruments: 2,
    different: 5,
    lacking: 6,
    unstored: 7,
    failed: [{ ticker, message: 'not JSON' }],
    stopped: 'status 401',
  };
  const text = formatComparison({
    sources: [source],
    notStored: ['AL30' as Ticker],
    notOffered: ['NADA' as Ticker],
    wasAborted: true,
  });
  assert.deepEqual(text.split('\n'), [
    'one: 1 request, compared 1,200 closes of 2 instruments, different 5, only stored 6, only at the source 7, rejected 0; stopped: status 401. Run the command again later.',
    'Failed:',
    '  GGAL of one: not JSON',
    'Without a stored close in the range:',
    '  AL30',
    'No source has the history of:',
    '  NADA',
    'Interrupted.',
    '',
  ]);
  const plain = {
    sources: [compared],
    notStored: [],
    notOffered: [],
    wasAborted: false,
    continueAt: new Map(),
  };
  assert.equal(formatComparison(plain).split('\n').length, 2);
});

test('a fetch lists replaced closes, unusual moves and doubtful closes, and with --verbose every other rejected row', () => {
  const day = 20_000 as EpochDay;
  const date = '2024-10-04' as PlainDate;
  const source = {
    ...fetched,
    replaced: 1,
    takenOver: 2,
    rejected: 3,
    replacements: [
      { ticker, day, stored: 1, storedSource: 'two', offered: 2, offeredSource: 'one' },
    ],
    moves: [
      {
        ticker,
        day,
        close: 10,
        previous: { day: (day - 1) as EpochDay, close: 100 },
        name: 'unrecorded-split' as const,
      },
    ],
    doubtfulRows: [{ ticker, date, sample: '{"close":541000}', reason: 'out-of-range' as const }],
    otherRows: [
      { ticker, date, sample: '{"close":null}', reason: 'no-price' as const },
      { ticker, sample: 'GGAL', reason: 'not-offered' as const },
    ],
  };
  const summary = {
    sources: [source],
    missing: [],
    notOffered: [],
    wasAborted: false,
    continueAt: new Map(),
  };
  const lines = [
    'one: 1 request, added 0 closes of 0 instruments, replaced 3 of later sources, rejected 3',
    'Closes that replaced those of sources after it in the configuration:',
    '  GGAL 2024-10-04: stored 1 of two, one has 2 (+100 %)',
    'Doubtful closes, not stored:',
    '  one: GGAL 2024-10-04 {"close":541000}: the close is outside its own low and high',
  ];
  const moves = [
    'Moves that look like those of a split or of another unit, stored:',
    '  one: GGAL 2024-10-04: 10, after 100 on 2024-10-03',
    'No close is missing.',
  ];
  assert.deepEqual(fetchLines(summary, { verbose: false }), [...lines, ...moves]);
  assert.deepEqual(fetchLines(summary, { verbose: true }), [
    ...lines,
    'Other rows that are not stored:',
    '  one: GGAL 2024-10-04 {"close":null}: no price',
    '  one: GGAL: the source does not have the instrument',
    ...moves,
  ]);
});
