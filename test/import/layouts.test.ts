import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { toEpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { LayoutName } from '../../src/import/recognition/recognise.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { fieldsIn } from '../support/fields-in.ts';
import { ImportRig } from './support/import-into.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'GGAL_US', kind: 'adr', market: 'NYSE', currency: 'USD' },
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'DOLAR MEP', kind: 'exchange-rate' },
  { ticker: 'DOLAR BLUE', kind: 'exchange-rate' },
  { ticker: 'DOLAR BLUE COMPRA', kind: 'exchange-rate' },
  { ticker: 'DOLAR BLUE VENTA', kind: 'exchange-rate' },
  { ticker: 'RIESGO PAIS', kind: 'country-risk' },
  { ticker: 'BTCUSD', kind: 'crypto', market: 'CRIPTO' },
]);

const whole = { open: 11, high: 14, low: 10, close: 12, volume: 1_000 };

interface Sample {
  readonly name: string;
  /** The first data row is of 16 November 2026. The second one is of the 17th and has no close. */
  readonly lines: readonly string[];
  readonly ticker: string;
  readonly close: object;
}

/** The layouts that have no sample below, and why. */
const others = {
  'rava-quote': 'a sample of it is in a test of its own',
  wide: 'a row has several closes',
  yfinance: 'it has three rows of headings',
  'yahoo-chart': 'a document without rows',
  'alpha-vantage': 'a document without rows',
} as const satisfies Partial<Record<LayoutName, string>>;

/** A file of each layout that has one row for each close. */
const samples: Readonly<Record<Exclude<LayoutName, keyof typeof others>, Sample>> = {
  'rava-history': {
    name: 'rava.csv',
    lines: [
      'especie,fecha,apertura,maximo,minimo,cierre,volumen,timestamp',
      'GGAL,2026-11-16,11,14,10,12,1000,7',
      'GGAL,2026-11-17,11,14,10,,1000,7',
    ],
    ticker: 'GGAL',
    close: whole,
  },
  yahoo: {
    name: 'GGAL_US.csv',
    lines: [
      'Date,Open,High,Low,Close,Adj Close,Volume',
      '2026-11-16,11,14,10,12,6,1000',
      '2026-11-17,11,14,10,,6,1000',
    ],
    ticker: 'GGAL_US',
    close: whole,
  },
  nasdaq: {
    name: 'GGAL.csv',
    lines: [
      'Date,Close/Last,Volume,Open,High,Low',
      '11/16/2026,$12.00,1000,$11.00,$14.00,$10.00',
      '11/17/2026,,1000,$11.00,$14.00,$10.00',
    ],
    ticker: 'GGAL_US',
    close: whole,
  },
  pizarra: {
    name: 'export.csv',
    lines: [
      'ticker,date,close,open,high,low,volume',
      'GGAL,2026-11-16,12,11,14,10,1000',
      'GGAL,2026-11-17,,11,14,10,1000',
    ],
    ticker: 'GGAL',
    close: whole,
  },
  'byma-series': {
    name: 'series.csv',
    lines: [
      'SIMBOLO;FECHA;VENCIMIENTO;CIERRE;APERTURA;MAXIMO;MINIMO;VOLUMEN NOMINAL',
      'AL30;2026-11-16;24 hs.;12,5;11;14;10;1000',
      'AL30;2026-11-17;24 hs.;;11;14;10;1000',
    ],
    ticker: 'AL30',
    close: { ...whole, close: 12.5 },
  },
  'argentinadatos-exchange-rate': {
    name: 'bolsa.csv',
    lines: ['casa,compra,venta,fecha', 'bolsa,11,12,2026-11-16', 'bolsa,11,,2026-11-17'],
    ticker: 'DOLAR MEP',
    close: { close: 12, volume: null },
  },
  'argentinadatos-index': {
    name: 'riesgo-pais.csv',
    lines: ['valor,fecha', '700,2026-11-16', ',2026-11-17'],
    ticker: 'RIESGO PAIS',
    close: { close: 700, volume: null },
  },
  'crypto-data-download': {
    name: 'cdd.csv',
    lines: [
      'https://www.CryptoDataDownload.com',
      'date,symbol,open,high,low,close,volume_btc,volume',
      '2026-11-16,BTCUSD,11,14,10,12,1000,2000',
      '2026-11-17,BTCUSD,11,14,10,,1000,2000',
    ],
    ticker: 'BTCUSD',
    close: whole,
  },
  generic: {
    name: 'prices.csv',
    lines: [
      'instrumento,dia,apertura,maximo,minimo,cierre,volumen',
      'AL30,2026-11-16,11,14,10,12,1000',
      'AL30,2026-11-17,11,14,10,,1000',
    ],
    ticker: 'AL30',
    close: whole,
  },
  // These two layouts recognise their columns by the rows, so most rows must be complete.
  headerless: {
    name: 'AL30.csv',
    lines: [
      '2026-11-16,11,14,10,12,1000',
      ...Array.from({ length: 9 }, (_, day) => `2026-10-${20 + day},11,14,10,12,1000`),
      '2026-11-17,11,14,10,,1000',
    ],
    ticker: 'AL30',
    close: whole,
  },
  'binance-klines': {
    name: 'BTCUSD-1d-2026-11.csv',
    lines: [
      '1794787200000,11,14,10,12,1000,1794873599999,1,1,1,1,0',
      ...Array.from(
        { length: 9 },
        (_, day) => `${1792454400000 + day * 86_400_000},11,14,10,12,1000,1792540799999,1,1,1,1,0`,
      ),
      '1794873600000,11,14,10,,1000,1794959999999,1,1,1,1,0',
    ],
    ticker: 'BTCUSD',
    close: whole,
  },
  lean: {
    name: 'ggal.csv',
    lines: [
      ...Array.from({ length: 5_000 }, () => '20261116 00:00,110000,140000,100000,120000,1000'),
      '20261117 00:00,110000,140000,100000,,1000',
    ],
    ticker: 'GGAL_US',
    close: whole,
  },
};

for (const [layout, { name, lines, ticker, close }] of Object.entries(samples)) {
  test(`${layout}: the prices and the volume are read from their columns, and a row without a close is rejected`, async () => {
    await using rig = await ImportRig.open();
    const path = await rig.file(name, lines.join('\n'));
    const { summary, rejects } = await rig.import([path], { universe });
    const [file] = summary.files;
    assert.equal(file?.outcome === 'imported' ? file.layout : file?.outcome, layout);
    const day = toEpochDay('2026-11-16' as PlainDate);
    assert.deepEqual(await rig.store.history.readCloses(ticker as Ticker, { from: day, to: day }), [
      { day, ...close, source: `import:${name}` },
    ]);
    const gaps = rejects.filter(({ reason }) => reason === 'no-number');
    assert.deepEqual(
      new Set(gaps.map(({ line, row }) => `${line} ${row.join()}`)),
      new Set([`${lines.length} ${(lines.at(-1) ?? '').replaceAll(';', ',')}`]),
    );
  });
}

test('docs/importing.md has a row for each layout', () => {
  const page = readFileSync(new URL('../../docs/importing.md', import.meta.url), 'utf8');
  const [, list = ''] = /\n## Layouts\n\n.*\n\n((?:- .*\n)+)/.exec(page) ?? [];
  const rows = Array.from(list.matchAll(/^- `([\w-]+)`/gm), ([, name]) => name);
  const names = Object.keys({ ...samples, ...others });
  // A file with the memory of changes is restored as a whole, so it has no layout, and tests of its own.
  assert.deepEqual(new Set(rows), new Set([...names, 'pizarra-changes']));
});

test('rava-quote: the open, the high, the low and the volume of a rate with a volume are read', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'rava.csv',
    [
      'especie,fecha,apertura,maximo,minimo,cierre,ultimo,variacion,volumen,timestamp',
      'GGAL,2026-11-16,11,14,10,12,12,1,1000,7',
    ].join('\n'),
  );
  const { summary } = await rig.import([path], { universe });
  const [file] = summary.files;
  assert.equal(file?.outcome === 'imported' ? file.layout : file?.outcome, 'rava-quote');
  const day = toEpochDay('2026-11-16' as PlainDate);
  assert.deepEqual(await rig.store.history.readCloses('GGAL' as Ticker, { from: day, to: day }), [
    { day, ...whole, source: 'import:rava.csv' },
  ]);
});

test('wide: five columns for each instrument are read, and an empty close is a gap', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'matrix.csv',
    [
      'date,GGAL.BA:open,GGAL.BA:high,GGAL.BA:low,GGAL.BA:close,GGAL.BA:volume,AL30:open,AL30:high,AL30:low,AL30:close,AL30:volume',
      '2026-11-16,11,14,10,12,1000,5,6,4,5.5,7',
      '2026-11-17,11,14,10,,1000,5,6,4,5.25,',
    ].join('\n'),
  );
  const { summary } = await rig.import([path], { universe });
  assert.deepEqual([summary.totals.added, summary.totals.rejected], [3, 0]);
  const [from, to] = ['2026-11-16', '2026-11-17'].map((date) => toEpochDay(date as PlainDate));
  if (from === undefined || to === undefined) throw new Error('two days');
  const source = 'import:matrix.csv';
  const closesOf = (ticker: string) => rig.store.history.readCloses(ticker as Ticker, { from, to });
  assert.deepEqual(await closesOf('GGAL'), [{ day: from, ...whole, source }]);
  const bond = { open: 5, high: 6, low: 4, source };
  assert.deepEqual(await closesOf('AL30'), [
    { day: from, ...bond, close: 5.5, volume: 7 },
    { day: to, ...bond, close: 5.25, volume: null },
  ]);
});

test('JSON: an array of rows is read, alone or in an object, with texts, numbers and missing keys', async () => {
  const rows = [
    { fecha: '2026-11-16', cierre: '12', volumen: 1_000 },
    { fecha: '2026-11-17', cierre: 13 },
    { fecha: '2026-11-18', cierre: null, volumen: 7 },
  ];
  for (const document of [rows, { body: rows, count: 3 }]) {
    await using rig = await ImportRig.open();
    const path = await rig.file('AL30.json', JSON.stringify(document));
    const { rejects } = await rig.import([path], { universe });
    const [from, to] = ['2026-11-16', '2026-11-17'].map((date) => toEpochDay(date as PlainDate));
    if (from === undefined || to === undefined) throw new Error('two days');
    assert.deepEqual(await rig.store.history.readCloses('AL30' as Ticker, { from, to }), [
      { day: from, close: 12, volume: 1_000, source: 'import:AL30.json' },
      { day: to, close: 13, volume: null, source: 'import:AL30.json' },
    ]);
    assert.deepEqual(fieldsIn(rejects, 'line', 'reason'), ['3 no-number']);
  }
});

test('--column selects the close of the main instrument, and the bid and the ask keep their columns', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'blue.csv',
    ['casa,compra,venta,fecha', 'blue,11,12,2026-11-16'].join('\n'),
  );
  await rig.import([path], { universe, options: { column: 'compra' } });
  const closeOf = async (ticker: string) => [...(await rig.closes(ticker)).values()];
  assert.deepEqual(await closeOf('DOLAR BLUE'), [11]);
  assert.deepEqual(await closeOf('DOLAR BLUE COMPRA'), [11]);
  assert.deepEqual(await closeOf('DOLAR BLUE VENTA'), [12]);
});

test('BYMA series: a row with another settlement term is omitted, with the reason', async () => {
  await using rig = await ImportRig.open();
  const path = await rig.file(
    'series.csv',
    [
      'SIMBOLO;FECHA;VENCIMIENTO;CIERRE;VOLUMEN NOMINAL',
      'AL30;2026-11-16;24 hs.;12,5;10',
      'AL30;2026-11-16;CI;12,4;10',
      'AL30;2026-11-17;24 hs.;x;10',
    ].join('\n'),
  );
  const { rejects } = await rig.import([path], { universe });
  assert.deepEqual(fieldsIn(rejects, 'line', 'reason', 'detail'), [
    '3 omitted not the standard settlement term of that day',
    '4 no-number undefined',
  ]);
});

test('the summary has the total number of closes of an instrument over all files', async () => {
  await using rig = await ImportRig.open();
  const paths = [
    await rig.file('a/AL30.csv', 'fecha,cierre\n2026-11-16,12\n2026-11-17,13'),
    await rig.file('b/AL30.csv', 'fecha,cierre\n2026-11-17,13\n2026-11-18,14\n2026-11-19,x'),
  ];
  const { summary } = await rig.import(paths, { universe });
  const { read, added, same, rejected } = summary.byTicker.get('AL30' as Ticker) ?? assert.fail();
  assert.deepEqual([read, added, same, rejected], [5, 3, 1, 1]);
});
