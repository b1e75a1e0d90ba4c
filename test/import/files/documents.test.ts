import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportOptions } from '../../../src/import/refusals/import-options.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { ImportRig } from '../support/import-into.ts';

const universe = makeUniverse([
  { ticker: 'AAPL', kind: 'cedear' },
  { ticker: 'AAPL_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'IBM_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'GGAL' },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO', currency: 'USD' },
]);

async function imported(body: unknown, options: ImportOptions = {}) {
  await using rig = await ImportRig.open();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { summary, rejects } = await rig.import([await rig.file('x.json', text)], {
    universe,
    options,
  });
  const [file] = summary.files;
  if (file?.outcome !== 'imported') return { refused: file?.reason };
  const closes: string[] = [];
  for (const ticker of [...summary.byTicker.keys()].sort()) {
    for (const [day, close] of await rig.closes(ticker)) closes.push(`${ticker} ${day} ${close}`);
  }
  const { layout, columnsUnused } = file;
  return {
    layout,
    closes,
    columnsUnused,
    rejects: rejects.map(({ line, reason }) => `${line} ${reason}`),
  };
}

interface Bars {
  readonly symbol: string;
  readonly currency?: string;
  readonly zone?: string;
  readonly dataGranularity?: string;
  readonly times: readonly number[];
  readonly closes: readonly (number | null)[];
}

function chart(...all: readonly Bars[]) {
  const result = all.map(
    ({ symbol, currency = 'USD', zone = 'America/New_York', times, closes, ...meta }) => ({
      meta: { symbol, currency, exchangeTimezoneName: zone, ...meta },
      timestamp: times,
      indicators: { quote: [{ close: closes, open: closes, volume: closes }] },
    }),
  );
  return { chart: { result, error: null } };
}

test('a chart of Yahoo gives the closes of its symbol, on the days of its exchange', async () => {
  // 14:30, 13:30 in summer, and 23:30 in UTC of the day before a session in Buenos Aires.
  const apple = {
    symbol: 'AAPL',
    times: [1706625000, 1719840600],
    closes: [188.04, Math.fround(216.75)],
  };
  const galicia = { symbol: 'GGAL.BA', currency: 'ARS', zone: 'America/Argentina/Buenos_Aires' };
  const { closes, layout, rejects } = await imported(
    chart(apple, { ...galicia, times: [1706623200, 1706709600], closes: [1100.5, null] }),
  );
  assert.equal(layout, 'yahoo-chart');
  assert.deepEqual(closes, [
    'AAPL_US 2024-01-30 188.04',
    'AAPL_US 2024-07-01 216.75',
    'GGAL 2024-01-30 1100.5',
  ]);
  assert.deepEqual(rejects, ['4 no-number']);
});

test('the prices of a chart have the decimals that its source rounded to 32 bits', async () => {
  const bars = { symbol: 'AAPL', times: [1706625000], closes: [Math.fround(188.04)] };
  const { closes } = await imported(chart(bars), { ticker: 'AAPL_US' });
  assert.deepEqual(closes, ['AAPL_US 2024-01-30 188.04']);
});

test('a chart of weeks, of an error or without a time zone is refused with the reason', async () => {
  const bars = { symbol: 'AAPL', times: [1706625000], closes: [1] };
  const weekly = await imported(chart({ ...bars, dataGranularity: '1wk' }));
  assert.match(weekly.refused ?? '', /bars of 1wk, not daily ones; request it with interval=1d/);
  const error = { chart: { result: null, error: { code: 'x', description: 'No data found' } } };
  assert.match((await imported(error)).refused ?? '', /No data found/);
  assert.match((await imported(chart({ ...bars, zone: 'x' }))).refused ?? '', /time zone/);
  assert.match((await imported('{"chart":')).refused ?? '', /not valid JSON/);
  assert.match((await imported({ chart: {} })).refused ?? '', /has no result/);
});

const ibm = {
  'Meta Data': { '1. Information': 'Daily', '2. Symbol': 'IBM', '5. Time Zone': 'US/Eastern' },
  'Time Series (Daily)': {
    '2024-01-31': {
      '1. open': '187.05',
      '4. close': '183.66',
      '5. adjusted close': '180.1',
      '8. split coefficient': '1.0',
    },
    '2024-01-30': {
      '1. open': '187.71',
      '4. close': '187.87',
      '5. adjusted close': '184.2',
      '8. split coefficient': '1.0',
    },
  },
};

test('a response of Alpha Vantage gives the closes as traded, and names the other columns', async () => {
  assert.deepEqual(await imported(ibm), {
    layout: 'alpha-vantage',
    closes: ['IBM_US 2024-01-30 187.87', 'IBM_US 2024-01-31 183.66'],
    columnsUnused: ['adjusted close'],
    rejects: [],
  });
  assert.deepEqual((await imported(ibm, { ticker: 'IBM_US' })).closes?.length, 2);
});

test('a cryptocurrency of Alpha Vantage is read in the currency of the request', async () => {
  const values = { '4a. close (USD)': '42941.1', '4b. close (USD)': '1' };
  const body = {
    'Meta Data': { '2. Digital Currency Code': 'BTC', '4. Market Code': 'USD' },
    'Time Series (Digital Currency Daily)': { '2024-01-30': values },
  };
  assert.deepEqual((await imported(body)).closes, ['BTC 2024-01-30 42941.1']);
});

test('another series of Alpha Vantage is refused by its name', async () => {
  const weekly = { 'Meta Data': { '2. Symbol': 'IBM' }, 'Weekly Time Series': {} };
  assert.match(
    (await imported(weekly)).refused ?? '',
    /has "Weekly Time Series", not "Time Series/,
  );
});
