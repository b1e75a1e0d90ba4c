import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { CorporateActions, noActions } from '../../domain/history/corporate-actions.ts';
import {
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { readActions, readText } from './read-actions.ts';

const universe = makeUniverse([
  { ticker: 'YPFD' },
  { ticker: 'AAPL_US', market: 'NYSE' },
  { ticker: 'META_US', market: 'NYSE' },
]);
const tickerOf = (symbol: string): Ticker | undefined => universe.find(`${symbol}_US`)?.ticker;
const context = {
  universe,
  recorded: noActions,
  names: {
    ofYahoo: tickerOf,
    ofAlpaca: tickerOf,
    ofUsSymbol: (symbol: string) => `${symbol}_US` as Ticker,
  },
  closeBefore: async () => undefined,
};

/** The actions of a text as `TICKER DATE TYPE VALUE`, or its faults as `line:column "value" message`. */
function read(text: string, file = '/tmp/actions.csv'): readonly string[] {
  const { actions, faults } = readText({ file, text }, context);
  if (faults.length > 0) {
    return faults.map(
      ({ line, column, value, message }) => `${line}:${column} "${value}" ${message}`,
    );
  }
  return actions.map(({ value, line }) => `${line} ${shown(value)}`);
}

function shown(action: ReturnType<typeof readText>['actions'][number]['value']): string {
  const { ticker, exDay, type, source } = action;
  const value =
    'factor' in action
      ? action.factor
      : 'amount' in action
        ? `${action.amount} ${action.currency}`
        : 'newTicker' in action
          ? action.newTicker
          : `${action.ratio} at ${action.price}`;
  return `${ticker} ${fromEpochDay(exDay)} ${type} ${value} (${source})`;
}

function day(date: string): EpochDay {
  return toEpochDay(date as PlainDate);
}

function byText(a: readonly string[], b: readonly string[]): number {
  return a.join() < b.join() ? -1 : 1;
}

const header = 'ticker,date,type,factor,amount,currency,newTicker,source\n';

test('a CSV table is read with all columns, and the file names the source where a row has none', () => {
  const text = `${header}YPFD,2026-08-24,split,10,,,,CNV
YPFD,2026-05-04,dividendo,,12.5,ARS,,

FB_US,2022-06-09,rename,,,,META_US,
`;
  assert.deepEqual(read(text), [
    '2 YPFD 2026-08-24 split 10 (CNV)',
    '3 YPFD 2026-05-04 cash-dividend 12.5 ARS (actions.csv)',
    '5 FB_US 2022-06-09 ticker-change META_US (actions.csv)',
  ]);
});

test('columns may be in any order and case, separated by semicolons, and those without a value left out', () => {
  assert.deepEqual(read('FACTOR;Type;Date;TICKER\n1,09;split;2026-08-24;ypfd\n'), [
    '2 YPFD 2026-08-24 split 1.09 (actions.csv)',
  ]);
});

test('every fault of a table has its line, its column, its text and a remedy', () => {
  const text = `date,ticker,factor,type
2026-02-30,YPFD,2,split
2026-08-24,NADA,x,split
`;
  assert.deepEqual(read(text), [
    '2:1 "2026-02-30" date: not a valid ex date; use YYYY-MM-DD and a day that exists',
    '3:2 "NADA" ticker: not in the universe; correct the ticker, or add the instrument to the universe',
    '3:3 "x" factor: not a number above zero, such as 10, or new units to old units, such as 10:1',
  ]);
});

test('a fault of a field whose column is left out is one of the whole row', () => {
  assert.deepEqual(read('date,ticker,type\n2026-08-24,YPFD,split\n'), [
    '2:0 "" factor: a split requires it',
  ]);
});

test('a table that lacks a required column or has an unknown one is refused by its header', () => {
  assert.deepEqual(read('ticker,date,factor,paid\nYPFD,2026-08-24,2,3\n'), [
    '1:4 "paid" unknown column; the columns are ticker, date, type, factor, amount, currency, newticker, source, ratio, price',
    '1:0 "" the column type is missing',
  ]);
});

test('a YAML list, or the same below "actions", is read with the line of each action', () => {
  const list = `- ticker: YPFD
  date: 2026-08-24
  type: split
  factor: 10:1
- { ticker: YPFD, date: 2026-05-04, type: dividend, amount: 12.5, currency: ARS, source: CNV }
`;
  const expected = [
    'YPFD 2026-08-24 split 10 (a.yaml)',
    'YPFD 2026-05-04 cash-dividend 12.5 ARS (CNV)',
  ];
  assert.deepEqual(read(list, 'a.yaml'), [`1 ${expected[0]}`, `5 ${expected[1]}`]);
  const nested = `# Splits\n---\nactions:\n${list.replaceAll(/^/gm, '  ').trimEnd()}\n`;
  assert.deepEqual(read(nested, 'a.yaml'), [`4 ${expected[0]}`, `8 ${expected[1]}`]);
});

test('a first line of YAML may contain commas', () => {
  const action = '{ ticker: YPFD, date: 2026-08-24, type: split, factor: 2 }';
  const expected = ['YPFD 2026-08-24 split 2 (a.yaml)'];
  assert.deepEqual(read(`- ${action}\n`, 'a.yaml'), [`1 ${expected[0]}`]);
  assert.deepEqual(read(`actions: [${action}]\n`, 'a.yaml'), [`1 ${expected[0]}`]);
  assert.deepEqual(read('[]', 'a.yaml'), [
    '1:1 "[]" the file must be a list with at least one item',
  ]);
});

test('a YAML file that would take hundreds of megabytes is refused, and says what to use instead', async (t) => {
  const path = join(await temporaryDirectory(t), 'a.yaml');
  await writeFile(
    path,
    '- { ticker: YPFD, date: 2026-08-24, type: split, factor: 2 }\n'.repeat(40_000),
  );
  const { actions, faults } = await readActions([path], context, Readable.from([]));
  assert.deepEqual(actions, []);
  assert.deepEqual(
    faults.map(({ message }) => message),
    ['it is a YAML file of more than 2097152 characters; split it into several files, or use CSV'],
  );
});

test('the faults of a YAML file have line, column and remedy', () => {
  const text = `- ticker: YPFD
  date: 2026-08-24
  type: split
  factor: x
- ticker: YPFD
  paid: 3
`;
  assert.deepEqual(read(text, 'a.yaml'), [
    '4:11 "x" factor: not a number above zero, such as 10, or new units to old units, such as 10:1',
    '6:3 "paid" unknown key in an action; its keys are ticker, date, type, factor, amount, currency, newTicker, source, ratio, price',
    '5:3 "" an action requires date, type',
  ]);
  assert.deepEqual(read('- ticker: YPFD\n  date: 2026-08-24\n  type: split\n', 'a.yaml'), [
    '1:3 "" factor: a split requires it',
  ]);
  assert.deepEqual(read('actions: []\n', 'a.yaml'), [
    '1:10 "[]" actions must be a list with at least one item',
  ]);
});

test('a JSON list of actions is read as YAML, as "actions list --json" prints it', () => {
  const list = [{ ticker: 'YPFD', date: '2026-08-24', type: 'split', source: 'CNV', factor: 10 }];
  const expected = ['1 YPFD 2026-08-24 split 10 (CNV)'];
  assert.deepEqual(read(JSON.stringify(list)), expected);
  assert.deepEqual(read(JSON.stringify({ actions: list })), expected);
});

function chart(events: unknown, meta: object = { symbol: 'AAPL', currency: 'USD' }): string {
  return JSON.stringify({ chart: { result: [{ meta, events }], error: null } }, null, 1);
}

test('the events of a chart of Yahoo Finance are read, with the dates of the market', () => {
  const events = {
    // 2020-08-31 in New York, and already the first of September in UTC.
    splits: { a: { date: 1_598_918_400, numerator: 4, denominator: 1 } },
    dividends: { b: { date: 1_604_673_000, amount: 0.205 } },
  };
  assert.deepEqual(read(chart(events), 'dir/aapl.json'), [
    '0 AAPL_US 2020-08-31 split 4 (aapl.json)',
    '0 AAPL_US 2020-11-06 cash-dividend 0.205 USD (aapl.json)',
  ]);
  assert.deepEqual(read(chart(undefined)), []);
});

test('a chart of an unknown symbol and an event that cannot be read are faults with their place', () => {
  const unknown = 'no instrument of the universe has this symbol; the file was not imported';
  assert.deepEqual(read(chart({}, { symbol: 'NADA', currency: 'USD' })), [
    `6:16 "chart.result[0].meta.symbol" ${unknown}`,
  ]);
  assert.deepEqual(read(chart({}, { symbol: 'AAPL' })), [
    `6:16 "chart.result[0].meta.symbol" ${unknown}`,
  ]);
  for (const split of [{ date: 1 }, { date: 1e16, numerator: 4, denominator: 1 }]) {
    assert.deepEqual(read(chart({ splits: { a: split } })), [
      '11:12 "chart.result[0].events.splits.a" not readable; correct it, or delete it',
    ]);
  }
});

test('a list of Alpaca is read, and instruments outside the universe are left out and named', () => {
  const lists = {
    forward_splits: [
      { symbol: 'AAPL', new_rate: 4, old_rate: 1, ex_date: '2020-08-31' },
      { symbol: 'NADA', new_rate: 4, old_rate: 1, ex_date: '2020-08-31' },
    ],
    name_changes: [{ old_symbol: 'FB', new_symbol: 'META', process_date: '2022-06-09' }],
  };
  const text = JSON.stringify({ corporate_actions: lists });
  assert.deepEqual(read(text, 'alpaca.json'), [
    '0 AAPL_US 2020-08-31 split 4 (alpaca.json)',
    '0 FB_US 2022-06-09 ticker-change META_US (alpaca.json)',
  ]);
  assert.deepEqual(readText({ file: 'x', text }, context).unknown, ['NADA']);
  assert.deepEqual(read('{"corporate_actions":{"cash_dividends":[{}]}}'), [
    '1:41 "corporate_actions.cash_dividends[0]" not readable; correct it, or delete it',
  ]);
});

test('a document without actions is refused with what would be valid', () => {
  for (const text of ['{"quoteResponse":{}}', '"x"', '7', 'hola', '{"chart":{"result":null}}']) {
    const [fault, ...more] = read(text);
    assert.match(
      fault ?? '',
      /^0:0 "" these are not corporate actions; import a CSV or YAML/,
      text,
    );
    assert.deepEqual(more, []);
  }
  assert.deepEqual(read(''), ['1:1 "" the file is empty']);
  assert.match(read('{"a":')[0] ?? '', /^1:\d/);
});

test('a document that is too long to parse twice has the path of a fault, and a longer file is refused', async (t) => {
  const broken = chart({ splits: { a: {} } });
  const path = '"chart.result[0].events.splits.a" not readable; correct it, or delete it';
  assert.deepEqual(read(broken.padEnd(4_194_305)), [`0:0 ${path}`]);
  const file = join(await temporaryDirectory(t), 'a.csv');
  for (const [length, message] of [
    [16_777_216, undefined],
    [16_777_217, 'it is longer than 16777216 characters; split it into several files'],
  ] as const) {
    await writeFile(file, header.padEnd(length));
    const { faults } = await readActions([file], context, Readable.from([]));
    assert.equal(faults[0]?.message, message);
  }
});

test('files, folders, archives and standard input are read together, each action once', async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'more'));
  const row = 'YPFD,2026-08-24,split,10,,,,\n';
  await writeFile(join(directory, 'one.csv'), `${header}${row}`);
  await writeFile(join(directory, 'two.csv.gz'), gzipSync(`${header}${row}`));
  await writeFile(join(directory, 'more/three.csv'), `${header}YPFD,2026-08-25,split,10:1,,,,\n`);
  await writeFile(
    join(directory, 'four.yaml'),
    '- { ticker: YPFD, date: 2026-08-27, type: split, factor: 3 }\n',
  );
  await symlink('one.csv', join(directory, 'link.csv'));
  const stdin = Readable.from([Buffer.from(`${header}YPFD,2026-08-26,split,2,,,,\n`)]);
  const { actions, faults, files } = await readActions([directory, '-'], context, stdin);
  assert.deepEqual([faults, files], [[], 5]);
  assert.deepEqual(
    actions.map(({ exDay, source }) => [fromEpochDay(exDay), source]).toSorted(byText),
    [
      ['2026-08-24', 'one.csv'],
      ['2026-08-25', 'three.csv'],
      ['2026-08-26', 'standard input'],
      ['2026-08-27', 'four.yaml'],
    ],
  );
});

test('two different actions of one key, and a file that cannot be read, are faults', async (t) => {
  const directory = await temporaryDirectory(t);
  const [first, second] = [join(directory, 'a.csv'), join(directory, 'b.csv')];
  const rows = 'YPFD,2026-08-24,split,10,,,,\nYPFD,2026-05-04,dividend,,1,ARS,,\n';
  await writeFile(first, `${header}${rows}`);
  await writeFile(second, `${header}${rows.replace(',10,', ',5,').replace(',1,', ',2,')}`);
  const absent = join(directory, 'absent.csv');
  const { faults } = await readActions([first, second, absent], context, Readable.from([]));
  assert.deepEqual(
    faults
      .slice(0, 2)
      .map(({ file, line, column, value, message }) => [file, line, column, value, message]),
    [
      [second, 2, 0, 'YPFD 2026-08-24 split', `differs from ${first}:2; keep the right one`],
      [
        second,
        3,
        0,
        'YPFD 2026-05-04 cash-dividend',
        `differs from ${first}:3; add the amounts, and keep one row`,
      ],
    ],
  );
  const { file, line, column, message } = faults[2] ?? {};
  assert.deepEqual([file, line, column, faults.length], [absent, 0, 0, 3]);
  assert.match(message ?? '', /no such file/);
});

test('the faults of all files are reported, and the names that the universe lacks once', async (t) => {
  const directory = await temporaryDirectory(t);
  const list = [{ symbol: 'NADA', new_rate: 4, old_rate: 1, ex_date: '2020-08-31' }];
  const lists = JSON.stringify({ corporate_actions: { forward_splits: list } });
  const yaml = join(await temporaryDirectory(t), 'a.yaml');
  await writeFile(yaml, '- { ticker: YPFD, date: x, type: split, factor: 2 }\n');
  await writeFile(join(directory, 'b.csv'), `${header}YPFD,2026-08-24,split,x,,,,\n`);
  await writeFile(join(directory, 'c.json'), lists);
  await writeFile(join(directory, 'd.json'), lists);
  const all = await readActions([yaml, directory], context, Readable.from([]));
  assert.deepEqual(
    all.faults.map(({ file, line }) => [basename(file), line]),
    [
      ['a.yaml', 1],
      ['b.csv', 2],
    ],
  );
  assert.deepEqual([all.actions, all.unknown, all.files], [[], ['NADA'], 4]);
});

test('the factor of terms follows from the last close before the ex date, on the basis of that date', async (t) => {
  const path = join(await temporaryDirectory(t), 'a.csv');
  const split = { ticker: 'YPFD' as Ticker, type: 'split', factor: 2, source: 'x' } as const;
  // The earlier factor of the action itself counts for nothing when its file is imported again.
  const again = { ...split, exDay: day('2026-03-11'), type: 'rights-issue', factor: 9 } as const;
  const recorded = new CorporateActions([{ ...split, exDay: day('2026-03-11') }, again]);
  const closes = new Map([[day('2026-03-11'), { day: day('2026-03-10'), close: 22 }]]);
  const closeBefore = async (_: Ticker, exDay: EpochDay) => closes.get(exDay);
  const run = async (rows: string) => {
    await writeFile(path, `ticker,date,type,factor,ratio,price\n${rows}`);
    const from = { ...context, recorded, closeBefore };
    const { actions, faults } = await readActions([path], from, Readable.from([]));
    return [actions.map(shown), faults.map(({ line, value, message }) => [line, value, message])];
  };
  assert.deepEqual(
    await run(
      'YPFD,2026-03-11,rights,,1:5,5\nYPFD,2026-03-11,split,2,,\nYPFD,2026-03-11,spinoff,,1,1',
    ),
    [
      [
        'YPFD 2026-03-11 split 2 (a.csv)',
        'YPFD 2026-03-11 rights-issue 1.1 (a.csv)',
        'YPFD 2026-03-11 spin-off 1.1 (a.csv)',
      ],
      [],
    ],
  );
  const dear = 'is not below 11, the last close before the ex date; correct the row, or delete it';
  const none =
    'no close of the 45 days before the ex date is stored, from which the factor follows; import the closes first, or give the factor';
  closes.set(day('2026-07-01'), { day: day('2026-03-10'), close: 22 });
  assert.deepEqual(
    await run(
      'YPFD,2026-03-11,rights,,1:5,11\nYPFD,2026-03-11,spin-off,,2,5.5\n' +
        'YPFD,2026-06-01,rights,,1:5,5\nYPFD,2026-07-01,rights,,1:5,5\n',
    ),
    [
      [],
      [
        [2, 'YPFD 2026-03-11 rights-issue', `the price ${dear}`],
        [3, 'YPFD 2026-03-11 spin-off', `ratio × price ${dear}`],
        [4, 'YPFD 2026-06-01 rights-issue', none],
        [5, 'YPFD 2026-07-01 rights-issue', none],
      ],
    ],
  );
});

test('actions of an old ticker before its change are accepted, with the change in any file or recorded', async (t) => {
  const change = 'FB_US,2022-06-09,ticker-change,,,,META_US,x\n';
  const earlier = 'FB_US,2020-01-10,split,2,,,,x\n';
  const later = 'FB_US,2022-06-10,split,3,,,,x\n';
  const directory = await temporaryDirectory(t);
  const tryFiles = async (files: Readonly<Record<string, string>>, setup = context) => {
    const paths = Object.entries(files).map(
      ([name, text]) => [join(directory, name), text] as const,
    );
    for (const [path, text] of paths) await writeFile(path, text);
    const sources = paths.map(([path]) => path);
    const { actions, faults } = await readActions(sources, setup, Readable.from([]));
    return [actions.map(shown), faults.map(({ line, message }) => `${line} ${message}`)];
  };
  const both = ['FB_US 2020-01-10 split 2 (x)', 'FB_US 2022-06-09 ticker-change META_US (x)'];
  for (const files of [
    { 'a.csv': `${header}${change}${earlier}` },
    { 'a.csv': `${header}${earlier}${change}` },
    { 'a.csv': `${header}${earlier}`, 'b.csv': `${header}${change}` },
  ]) {
    const [actions = [], faults] = await tryFiles(files);
    assert.deepEqual([actions.toSorted(), faults], [both, []]);
  }
  const unknown =
    '2 ticker: not in the universe; correct the ticker, or add the instrument to the universe';
  assert.deepEqual(await tryFiles({ 'a.csv': `${header}${earlier}` }), [[], [unknown]]);
  const { actions } = await readActions([join(directory, 'b.csv')], context, Readable.from([]));
  const recorded = new CorporateActions(actions);
  assert.deepEqual(await tryFiles({ 'a.csv': `${header}${earlier}` }, { ...context, recorded }), [
    both.slice(0, 1),
    [],
  ]);
  const since = '2 ticker: the instrument has another ticker since 2022-06-09; use that one';
  assert.deepEqual(await tryFiles({ 'a.csv': `${header}${later}` }, { ...context, recorded }), [
    [],
    [since],
  ]);
  const splits = ['2020-01-10', '2023-01-10'].map((date) => {
    return { symbol: 'FB', ex_date: date, new_rate: 2, old_rate: 1 };
  });
  const body = JSON.stringify({ corporate_actions: { forward_splits: splits } });
  const [ofAlpaca] = await tryFiles({ 'a.json': body }, { ...context, recorded });
  assert.deepEqual(ofAlpaca, ['FB_US 2020-01-10 split 2 (a.json)']);
});
