import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportOptions } from '../../../src/import/refusals/import-refusal.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { ImportRig } from '../support/import-into.ts';

const universe = makeUniverse([
  { ticker: 'AAPL', kind: 'cedear' },
  { ticker: 'AAPL_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'IBM_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'ALUA' },
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

/** Monday, Tuesday and Wednesday, with the closes of GGAL, and their midnights in Buenos Aires and in UTC. */
const week = ['2026-11-16', '2026-11-17', '2026-11-18'];
const closes = [7400, 7410.5, 7420];
const midnights = week.map((date) => Date.parse(`${date}T00:00:00-03:00`) / 1_000);
const index = week.map((date) => Date.parse(date));
const frame = (rows: readonly (readonly [string | number, unknown])[]) => Object.fromEntries(rows);
const column = (values: readonly unknown[], keys: readonly (string | number)[] = index) =>
  frame(keys.map((key, at) => [key, values[at]]));
const bars = week.map((date, at) => ({
  t: `${date}T05:00:00Z`,
  o: 1,
  h: 9e3,
  l: 1,
  c: closes[at],
  v: 7,
}));

/** Documents of usual programs with the same closes. */
const shapes: Readonly<Record<string, unknown>> = {
  'GET /udf/history': {
    s: 'ok',
    t: midnights,
    c: closes,
    o: closes,
    h: closes,
    l: closes,
    v: [1, 2, 3],
  },
  'GET /udf/history, of closes only': { s: 'ok', t: midnights, c: closes },
  'named columns': { date: week, close: closes, nextTime: null },
  'DataFrame.to_json()': { Close: column(closes), Volume: column([1, 2, 3]) },
  'DataFrame.to_json() with a column of dates': {
    Date: column(week, [0, 1, 2]),
    Close: column(closes, [0, 1, 2]),
  },
  'DataFrame.to_json(orient="index")': frame(
    week.map((date, at) => [date, { close: closes[at], volume: 1 }]),
  ),
  'DataFrame.to_json(orient="split")': {
    columns: ['Close', 'Volume'],
    index,
    data: closes.map((close) => [close, 1]),
  },
  'DataFrame.to_json(orient="records")': index.map((Date, at) => ({ Date, Close: closes[at] })),
  'DataFrame.to_json(orient="table")': {
    schema: {
      fields: [{ name: 'Date', type: 'datetime' }, { name: 'Close' }],
      primaryKey: ['Date'],
    },
    data: week.map((Date, at) => ({ Date: `${Date}T00:00:00.000`, Close: closes[at] })),
  },
  'Series.to_json()': column(closes),
  'Series.to_json(date_format="iso")': column(
    closes,
    week.map((date) => `${date}T00:00:00.000`),
  ),
  'a table as lists': [['Fecha', 'Cierre'], ...week.map((date, at) => [date, closes[at]])],
  'lists within an object': {
    data: [['Fecha', 'Cierre'], ...week.map((date, at) => [date, closes[at]])],
  },
  'BCRA v4': {
    status: 200,
    metadata: { resultset: { count: 3, offset: 0, limit: 1000 } },
    results: [{ idVariable: 5, detalle: week.map((fecha, at) => ({ fecha, valor: closes[at] })) }],
  },
  'Alpaca, one symbol': { bars, symbol: 'GGAL', next_page_token: null },
  'Alpaca, by symbol': { bars: { GGAL: bars }, next_page_token: null },
};

for (const [name, document] of Object.entries(shapes)) {
  test(`the closes of a JSON document are read, in one text or indented: ${name}`, async () => {
    for (const text of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
      await using rig = await ImportRig.open();
      const path = await rig.file('x.json', text);
      const { summary } = await rig.import([path], { universe, options: { ticker: 'GGAL' } });
      const stored = await rig.closes('GGAL');
      const expected = week.map((date, at) => [date, closes[at]]);
      assert.deepEqual([...stored], expected, JSON.stringify(summary.files));
    }
  });
}

test('arrays that are named by symbols are of these instruments, and a frame of instruments is a matrix', async () => {
  const symbols = { GGAL: bars, ALUA: bars.slice(1) };
  const matrix = { GGAL: column(closes), ALUA: column([null, ...closes.slice(1)]) };
  for (const document of [symbols, { bars: symbols }, matrix]) {
    await using rig = await ImportRig.open();
    const path = await rig.file('x.json', JSON.stringify(document));
    await rig.import([path], { universe });
    assert.deepEqual([...(await rig.closes('GGAL')).values()], closes);
    assert.deepEqual([...(await rig.closes('ALUA')).keys()], week.slice(1));
  }
});

test('a document of another form is refused, and one that becomes too large a table too', async () => {
  await using rig = await ImportRig.open();
  const days = Array.from({ length: 5_000 }, (_, at) => [String(1_000_000_000 + at), 1] as const);
  const large = Object.fromEntries(days.map(([day], at) => [`c${at}`, { [day]: 1 }]));
  for (const [document, reason] of [
    [{ a: [1], b: [1, 2] }, /neither one array of rows, nor columns of one length/],
    [{ prices: [{ a: 1 }], dividends: [{ b: 1 }] }, /neither one array of rows/],
    [{ a: 1 }, /not daily prices/],
    [large, /more than 16777216 cells/],
  ] as const) {
    const path = await rig.file('x.json', JSON.stringify(document));
    const { summary } = await rig.import([path], { universe });
    const [file] = summary.files;
    assert.match(file?.outcome === 'refused' ? file.reason : '', reason);
  }
});
