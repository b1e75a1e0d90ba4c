import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, jsonHead, readingOf } from '../../../test/support/import/table-head.ts';
import { headerless, lean } from './headerless.ts';
import { sources } from './sources.ts';
import { generic } from './generic.ts';
import type { Layout, Reading, TableHead } from './layout.ts';
import { wide } from './wide.ts';

const file = { type: 'file' } as const;
const usual = { ticker: file, close: 4, open: 1, high: 2, low: 3, volume: 5 };

/** The expected fields of a reading. */
function plain({ omit, ...reading }: Reading): object {
  return { ...reading, ...(omit !== undefined && { omitted: omit.because }) };
}

/** A reading without its functions. */
type Expected = { readonly layout: string } & Readonly<Record<string, unknown>>;

const readings: readonly (readonly [Layout, TableHead, Expected])[] = [
  [
    sources,
    csvHead('x.csv', 'ticker,date,close,open,high,low,volume\nGGAL,2026-11-16,12,11,14,10,7'),
    {
      layout: 'pizarra',
      skipRows: 1,
      header: ['ticker', 'date', 'close', 'open', 'high', 'low', 'volume'],
      date: 1,
      naming: 'canonical',
      gapsAllowed: false,
      usualDate: 'YYYY-MM-DD',
      usualDecimal: '.',
      series: [
        {
          ...usual,
          ticker: { type: 'column', index: 0 },
          close: 2,
          open: 3,
          high: 4,
          low: 5,
          volume: 6,
        },
      ],
    },
  ],
  [
    sources,
    csvHead(
      'x.csv',
      'ticker,date,close,open,high,low,volume,source\nGGAL,2026-11-16,12,11,14,10,7,a',
    ),
    {
      layout: 'pizarra',
      skipRows: 1,
      header: ['ticker', 'date', 'close', 'open', 'high', 'low', 'volume', 'source'],
      date: 1,
      naming: 'canonical',
      gapsAllowed: false,
      usualDate: 'YYYY-MM-DD',
      usualDecimal: '.',
      series: [
        {
          ticker: { type: 'column', index: 0 },
          close: 2,
          open: 3,
          high: 4,
          low: 5,
          volume: 6,
          source: 7,
        },
      ],
    },
  ],
  [
    sources,
    csvHead(
      'x.csv',
      'especie,fecha,apertura,maximo,minimo,cierre,volumen,timestamp\nGGAL,2026-11-16,1,3,1,2,7,9',
    ),
    {
      layout: 'rava-history',
      skipRows: 1,
      header: [
        'especie',
        'fecha',
        'apertura',
        'maximo',
        'minimo',
        'cierre',
        'volumen',
        'timestamp',
      ],
      date: 1,
      naming: 'canonical',
      gapsAllowed: false,
      usualDecimal: '.',
      series: [
        { ticker: { type: 'column', index: 0 }, close: 5, open: 2, high: 3, low: 4, volume: 6 },
      ],
    },
  ],
  [
    sources,
    csvHead('x.csv', 'Date,Open,High,Low,Close,Adj Close,Volume\n2026-11-16,1,3,1,2,2,7'),
    {
      layout: 'yahoo',
      skipRows: 1,
      header: ['Date', 'Open', 'High', 'Low', 'Close', 'Adj Close', 'Volume'],
      date: 0,
      naming: 'yahoo',
      gapsAllowed: false,
      usualDate: 'YYYY-MM-DD',
      usualDecimal: '.',
      series: [{ ...usual, volume: 6 }],
    },
  ],
  [
    sources,
    jsonHead('Indices/Riesgo_Pais.json', [{ valor: '937', fecha: '1999-01-22' }]),
    {
      layout: 'argentinadatos-index',
      skipRows: 1,
      header: ['valor', 'fecha'],
      date: 1,
      naming: 'canonical',
      gapsAllowed: false,
      usualDecimal: '.',
      series: [{ ticker: { type: 'known', ticker: 'RIESGO PAIS' }, close: 0 }],
    },
  ],
  [
    sources,
    csvHead('x.csv', 'SIMBOLO,FECHA,VENCIMIENTO,CIERRE,VOLUMEN NOMINAL\nBMA,2024-02-19,48 hs.,1,2'),
    {
      layout: 'byma-series',
      skipRows: 1,
      header: ['SIMBOLO', 'FECHA', 'VENCIMIENTO', 'CIERRE', 'VOLUMEN NOMINAL'],
      date: 1,
      naming: 'canonical',
      gapsAllowed: false,
      usualDecimal: ',',
      omitted: 'not the standard settlement term of that day',
      series: [{ ticker: { type: 'column', index: 0 }, close: 3, volume: 4 }],
    },
  ],
  [
    sources,
    csvHead('x.csv', 'Date,Close,Volume,Open,High,Low\n03/01/2024,$2,7,$1,$3,$1'),
    {
      layout: 'nasdaq',
      skipRows: 1,
      header: ['Date', 'Close', 'Volume', 'Open', 'High', 'Low'],
      date: 0,
      naming: 'us',
      gapsAllowed: false,
      usualDate: 'MM/DD/YYYY',
      usualDecimal: '.',
      series: [{ ticker: file, close: 1, open: 3, high: 4, low: 5, volume: 2 }],
    },
  ],
  [
    sources,
    csvHead(
      'x.csv',
      '# c\ndate,symbol,open,high,low,close,volume_usd,volume_btc\n2019-10-17,B,1,2,1,2,3,4',
    ),
    {
      layout: 'crypto-data-download',
      skipRows: 2,
      header: ['date', 'symbol', 'open', 'high', 'low', 'close', 'volume_usd', 'volume_btc'],
      date: 0,
      naming: 'bare',
      gapsAllowed: false,
      usualDate: 'YYYY-MM-DD',
      usualDecimal: '.',
      series: [
        { ticker: { type: 'column', index: 1 }, close: 5, open: 2, high: 3, low: 4, volume: 7 },
      ],
    },
  ],
  [
    lean,
    csvHead('aapl.csv', '19980102 00:00,136300,162500,135000,162500,6315000'),
    {
      layout: 'lean',
      skipRows: 0,
      header: [],
      date: 0,
      naming: 'us',
      gapsAllowed: false,
      usualDate: 'YYYYMMDD',
      usualDecimal: '.',
      currency: 'USD',
      scale: 10_000,
      series: [usual],
    },
  ],
  [
    headerless,
    csvHead('x.csv', '2016-07-13,2,4,1,3,7'),
    {
      layout: 'headerless',
      skipRows: 0,
      header: [],
      date: 0,
      naming: 'bare',
      gapsAllowed: false,
      series: [usual],
    },
  ],
  [
    wide,
    csvHead('x.csv', 'fecha,GGAL,,YPFD\n2026-11-16,1,2,3'),
    {
      layout: 'wide',
      skipRows: 1,
      header: ['fecha', 'GGAL', '', 'YPFD'],
      date: 0,
      naming: 'bare',
      gapsAllowed: true,
      series: [
        { ticker: { type: 'heading', text: 'GGAL' }, close: 1 },
        { ticker: { type: 'heading', text: 'YPFD' }, close: 3 },
      ],
    },
  ],
  [
    generic,
    csvHead('x.csv', 'apertura,maximo,minimo,volumen,fecha,cierre,nota,\n1,3,1,7,2026-11-16,2,x,y'),
    {
      layout: 'generic',
      skipRows: 1,
      header: ['apertura', 'maximo', 'minimo', 'volumen', 'fecha', 'cierre', 'nota', ''],
      date: 4,
      naming: 'bare',
      gapsAllowed: false,
      unused: ['nota'],
      series: [{ ticker: file, close: 5, open: 0, high: 1, low: 2, volume: 3 }],
    },
  ],
  [
    generic,
    jsonHead('x.json', [{ minimo: '1', ticker: 'GGAL', fecha: '2026-11-16', cierre: '1.234' }]),
    {
      layout: 'generic',
      skipRows: 1,
      header: ['minimo', 'ticker', 'fecha', 'cierre'],
      date: 2,
      naming: 'ticker',
      gapsAllowed: false,
      unused: [],
      usualDecimal: '.',
      series: [{ ticker: { type: 'column', index: 1 }, close: 3, low: 0 }],
    },
  ],
];

for (const [layout, head, expected] of readings) {
  test(`${expected.layout}, ${head.type}: a reading is complete and leaves nothing to decide`, () => {
    assert.deepEqual(plain(readingOf(layout, head)), expected);
  });
}

const makers = [sources, lean];

test("a table without one of a source's columns does not match the source's layout", () => {
  for (const [layout, head, { layout: name }] of readings) {
    if (!makers.includes(layout) || layout === lean) continue;
    for (const missing of head.rows.at(-2)?.keys() ?? []) {
      const rows = head.rows.map((row) => row.map((cell, at) => (at === missing ? 'x' : cell)));
      const heading = head.rows.at(-2)?.[missing] ?? '';
      if (['volume_usd', 'timestamp'].includes(heading)) continue;
      assert.equal(layout.recognise({ ...head, rows }), undefined, `${name}: ${heading}`);
    }
  }
});

test('no layout matches an empty table', () => {
  for (const layout of [...makers, wide, generic, headerless]) {
    for (const rows of [[], [['']], [[], []]]) {
      const head = { path: 'x.csv', type: 'csv', rows } as const;
      assert.equal(layout.recognise(head), undefined);
    }
  }
});

/** A table without a header: a number of rows consistent with the reading, and another row. */
function bearing(count: number, other: string): TableHead {
  const rows = Array.from({ length: count }, () => '2016-07-13,2,4,1,3,7');
  return csvHead('x.csv', [...rows, other].join('\n'));
}

test('Lean and rows without a header: all rows, or nine of ten, must be consistent with the reading', () => {
  const good = '19980102 00:00,1,2,1,2,3';
  for (const bad of ['1998-01-02,1,2,1,2,3', '19980102 00:00,1.5,2,1,2,3', `${good},4`]) {
    assert.equal(lean.recognise(csvHead('x.csv', `${good}\n${bad}`)), undefined, bad);
  }
  assert.ok(lean.recognise(csvHead('x.csv', `${good}\n${good}\n`)));
  for (const wrong of [
    '2016-07-13,2,1,1,3,7',
    '2016-07-13,2,4,3,3,7',
    'x,2,4,1,3,7',
    '2016-07-13,1',
  ]) {
    assert.ok(headerless.recognise(bearing(9, wrong)), wrong);
    assert.equal(headerless.recognise(bearing(8, wrong)), undefined, wrong);
  }
  assert.ok(headerless.recognise(csvHead('x.csv', '2016-07-13,2,2,2,2,7')), 'a day of one price');
  assert.ok(headerless.recognise(csvHead('x.csv', '2016-07-13,2,4,1,3,7,3')), 'seven cells');
  assert.equal(headerless.recognise(csvHead('x.csv', '2016-07-13,2,4,1,3,7,3,1')), undefined);
});

test('an export has its own columns and no others', () => {
  for (const header of [
    'ticker,date,close,open,high,low',
    'ticker,date,close,open,high,low,volume,source,note',
    'ticker,date,close,open,high,low,volume,note',
  ]) {
    assert.equal(sources.recognise(csvHead('x.csv', header)), undefined, header);
  }
});
