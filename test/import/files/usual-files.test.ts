import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CorporateAction } from '../../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../../src/domain/history/corporate-actions.ts';
import {
  firstEpochDay,
  fromEpochDay,
  lastEpochDay,
  toEpochDay,
  type PlainDate,
} from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { ImportRig, type ImportSetup } from '../support/import-into.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'AAPL', kind: 'cedear' },
  { ticker: 'AAPL_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'META_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'CAUCION 7D', kind: 'interest-rate', currency: '%' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO', currency: 'USD' },
]);

/** Imports one file. Gives its closes as `TICKER date close open high low volume`, and the rejects. */
async function imported(
  name: string,
  text: string | Uint8Array,
  setup: Partial<ImportSetup> = {},
): Promise<{ readonly closes: readonly string[]; readonly rejects: readonly string[] }> {
  await using rig = await ImportRig.open();
  const path = await rig.file(name, text);
  const { summary, rejects } = await rig.import([path], { universe, ...setup });
  const [file] = summary.files;
  if (file?.outcome !== 'imported') assert.fail(file?.reason ?? 'no result');
  const closes: string[] = [];
  for (const ticker of [...summary.byTicker.keys()].sort()) {
    const range = { from: firstEpochDay, to: lastEpochDay };
    const stored = await rig.store.history.readCloses(ticker, range);
    for (const { day, close, open, high, low, volume } of stored) {
      const values = [close, open, high, low, volume].map((value) => value ?? '-');
      closes.push([ticker, fromEpochDay(day), ...values].join(' '));
    }
  }
  return { closes, rejects: rejects.map(({ line, reason }) => `${line} ${reason}`) };
}

test('a file of one or two rows with semicolons is read, with or without a final newline', async () => {
  const texts = [
    'fecha;cierre\n02/01/2024;10,5\n15/01/2024;10,6',
    'Fecha;Último;Vol.\n15.01.2024;10,5;1,2M',
    'fecha;cierre;volumen\n2024-01-15;10,5;1,234,567',
    'fecha\tcierre\n2024-01-15\t10,5',
  ];
  for (const text of texts) {
    const [first] = (await imported('GGAL.csv', text)).closes;
    assert.match(first ?? '', /^GGAL 2024-01-(?:02|15) 10\.5 /, text);
    for (const end of ['\n', '\r\n', '\n\n', '\n;\n']) {
      const { closes } = await imported('GGAL.csv', `${text.replaceAll('\n', end[0] ?? '')}${end}`);
      assert.equal(closes[0], first, text);
    }
  }
});

test('a table of yfinance of one symbol has three rows of headings', async () => {
  const text = `Price,Close,High,Low,Open,Volume
Ticker,AAPL,AAPL,AAPL,AAPL,AAPL
Date,,,,,
2024-01-30,188.04,191.8,187.47,190.94,55859400
2024-01-31,184.4,187.1,184.35,187.04,55467800
`;
  const closes = [
    'AAPL_US 2024-01-30 188.04 190.94 191.8 187.47 55859400',
    'AAPL_US 2024-01-31 184.4 187.04 187.1 184.35 55467800',
  ];
  assert.deepEqual(await imported('AAPL.csv', text), { closes, rejects: [] });
  const options = { ticker: 'AAPL_US' };
  assert.deepEqual(await imported('x.csv', text, { options }), { closes, rejects: [] });
});

test('a table of yfinance of several symbols reads each by its symbol, in either order of headings', async () => {
  const fields = 'Price,Adj Close,Adj Close,Close,Close,Volume,Volume';
  const symbols = 'Ticker,AAPL,GGAL.BA,AAPL,GGAL.BA,AAPL,GGAL.BA';
  const rows = `Date,,,,,,
2024-01-30,1,2,188.04,1100.5,55859400,7
2024-01-31,1,,184.4,,55467800,
`;
  for (const headings of [`${fields}\n${symbols}`, `${symbols}\n${fields}`]) {
    const { closes } = await imported('x.csv', `${headings}\n${rows}`);
    assert.deepEqual(closes, [
      'AAPL_US 2024-01-30 188.04 - - - 55859400',
      'AAPL_US 2024-01-31 184.4 - - - 55467800',
      'GGAL 2024-01-30 1100.5 - - - 7',
    ]);
  }
});

test('a download of Investing.com in Portuguese is read, by the name of its file', async () => {
  const text = `Data;Último;Abertura;Máxima;Mínima;Vol.;Var%
31.01.2024;1.252.102,50;1.239.000;1.260.000;1.230.000;12,09M;1,96%
30.01.2024;1.228.032;1.239.000;1.260.000;1.220.000;12,51M;1,30%
`;
  const { closes } = await imported('Dados Históricos - MERVAL.csv', text);
  assert.deepEqual(closes, [
    'MERVAL 2024-01-30 1228032 1239000 1260000 1220000 -',
    'MERVAL 2024-01-31 1252102.5 1239000 1260000 1230000 -',
  ]);
});

test('the list of Invertir Online is read: price, range, nominal volume', async () => {
  const rows = [2, 3, 4].map((day) => ({
    ultimoPrecio: 1000 + day,
    variacion: 1.2,
    apertura: 990,
    maximo: 1020,
    minimo: 980,
    fechaHora: `2024-01-0${day}T17:00:${day}1.123`,
    cierreAnterior: 995,
    puntas: null,
    montoOperado: 123456.5,
    volumenNominal: 1200 + day,
    moneda: 'peso_Argentino',
  }));
  const { closes } = await imported('GGAL.json', JSON.stringify(rows));
  assert.deepEqual(closes, [
    'GGAL 2024-01-02 1002 990 1020 980 1202',
    'GGAL 2024-01-03 1003 990 1020 980 1203',
    'GGAL 2024-01-04 1004 990 1020 980 1204',
  ]);
});

test('a rate may be written in percent, and a price may not', async () => {
  const text = 'fecha;valor;x\n2024-01-02;70,5%;1\n2024-01-03;71,25 %;1\n';
  assert.deepEqual((await imported('CAUCION 7D.csv', text)).closes, [
    'CAUCION 7D 2024-01-02 70.5 - - - -',
    'CAUCION 7D 2024-01-03 71.25 - - - -',
  ]);
  const { closes, rejects } = await imported('GGAL.csv', `${text}2024-01-04;72,5;1\n`);
  assert.deepEqual(closes, ['GGAL 2024-01-04 72.5 - - - -']);
  assert.deepEqual(rejects, ['2 no-number', '3 no-number']);
});

test('cantidad is a volume, and a volume may be in thousands, millions or billions', async () => {
  const text = `fecha;cierre;cantidad
2024-01-15;10,5;700
2024-01-16;10,5;12,5K
2024-01-17;10,5;132,36M
2024-01-18;10,5;1,13B
2024-01-19;10,5;1.234.567
`;
  const volumes = (await imported('GGAL.csv', text)).closes.map((close) => close.split(' ').at(-1));
  assert.deepEqual(volumes, ['700', '12500', '132360000', '1130000000', '1234567']);
});

test('headings may have underscores instead of spaces', async () => {
  const text = 'TRADE_DATE,CLOSING_PRICE,MAXIMUM_PRICE\n2024-01-15,10.5,11\n';
  assert.deepEqual((await imported('GGAL.csv', text)).closes, ['GGAL 2024-01-15 10.5 - 11 - -']);
});

const change: CorporateAction = {
  type: 'ticker-change',
  ticker: 'FB_US' as Ticker,
  newTicker: 'META_US' as Ticker,
  exDay: toEpochDay('2022-06-09' as PlainDate),
  source: 'x',
};

test('closes of an old ticker are stored under it, up to the recorded change of the ticker', async () => {
  const actions = new CorporateActions([change]);
  const closes = ['FB_US 2022-06-07 195.65 - - - -', 'FB_US 2022-06-08 196.64 - - - -'];
  const rows = ['2022-06-07', '2022-06-08', '2022-06-09'];
  const prices = [195.65, 196.64, 184];
  const table = rows.map((day, at) => `FB_US,${day},${prices[at]}`).join('\n');
  assert.deepEqual(await imported('x.csv', `symbol,date,close\n${table}\n`, { actions }), {
    closes,
    rejects: ['4 renamed'],
  });
  const own = rows.map((day, at) => `${day},${prices[at]}`).join('\n');
  const options = { ticker: 'fb_us' };
  assert.deepEqual(await imported('x.csv', `date,close\n${own}\n`, { actions, options }), {
    closes,
    rejects: ['4 renamed'],
  });
  await assert.rejects(imported('x.csv', `symbol,date,close\n${table}\n`), /unknown ticker FB_US/);
});

test('the names of usual downloads say the instrument, and its market where they know it', async () => {
  const text = 'date,close\n2024-01-30,188.04\n';
  for (const [name, ticker] of [
    ['aapl_us_d.csv', 'AAPL_US'],
    ['NASDAQ_AAPL, 1D.csv', 'AAPL_US'],
    ['BINANCE_BTCUSDT, 1D.csv', 'BTC'],
    ['BCBA_AAPL, 1D.csv', 'AAPL'],
    ['GGAL Historical Data.csv', 'GGAL'],
  ] as const) {
    assert.deepEqual((await imported(name, text)).closes, [`${ticker} 2024-01-30 188.04 - - - -`]);
  }
  await assert.rejects(imported('AAPL Historical Data.csv', text), /AAPL may be AAPL .*or AAPL_US/);
});

function kline(day: number, unit: number): string {
  const open = Date.UTC(2026, 10, day) * unit;
  const close = open + 86_400_000 * unit - 1;
  return `${open},10.5,14,9,12,100.5,${close},1200,7,50,600,0`;
}

test('the klines of Binance are read without a header, in milliseconds and in microseconds', async () => {
  for (const unit of [1, 1_000]) {
    const rows = [14, 15, 16].map((day) => kline(day, unit));
    const expected = ['14', '15', '16'].map((day) => `BTC 2026-11-${day} 12 10.5 14 9 100.5`);
    const csv = await imported('BTCUSDT-1d-2026-11.csv', rows.join('\n'));
    assert.deepEqual(csv, { closes: expected, rejects: [] });
    const list = `[${rows.map((row) => `[${row}]`).join(',')}]`;
    assert.deepEqual(await imported('BTC.json', list), { closes: expected, rejects: [] });
    const named = [
      'open_time,open,high,low,close,volume',
      ...rows.map((row) => row.split(',', 6).join()),
    ];
    assert.deepEqual((await imported('BTC.csv', named.join('\n'))).closes, expected);
  }
  const wrong = [14, 15, 16].map((day) => kline(day, 1).replace(',9,', ',13,')).join('\n');
  await assert.rejects(imported('BTC.csv', wrong), /not daily prices/);
});

test('the bars of Polygon and Alpaca are read by their letters', async () => {
  const bars = [{ t: Date.UTC(2026, 10, 16, 5), o: 10, h: 14, l: 9, c: 12, v: 100, vw: 11, n: 7 }];
  const setup = { options: { ticker: 'AAPL_US' } };
  const { closes } = await imported(
    'x.json',
    JSON.stringify({ ticker: 'AAPL', results: bars }),
    setup,
  );
  assert.deepEqual(closes, ['AAPL_US 2026-11-16 12 10 14 9 100']);
});
