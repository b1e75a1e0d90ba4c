import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { ImportOptions } from '../../src/import/refusals/import-refusal.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { ImportRig } from './support/import-into.ts';

const universe = makeUniverse([
  { ticker: 'ALUA' },
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'AL30D', kind: 'bond', currency: 'USD' },
  { ticker: 'DOLAR BLUE', kind: 'exchange-rate' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO', currency: 'USD' },
  { ticker: 'USD' },
  { ticker: 'CAUCION 7D', kind: 'interest-rate', currency: '%' },
]);

/** The result of one file: the closes of its instrument, or the reason of its refusal. */
async function imported(
  file: string,
  rows: readonly string[],
  options: ImportOptions = {},
): Promise<{
  readonly refused: string;
  readonly rejected: readonly string[];
  readonly closes: number;
}> {
  await using rig = await ImportRig.open();
  const path = await rig.file(file, rows.join('\n'));
  const { summary, rejects } = await rig.import([path], { universe, options });
  const [result] = summary.files;
  return {
    refused: result?.outcome === 'refused' ? result.reason : '',
    rejected: rejects.map(({ reason }) => reason),
    closes: summary.totals.added,
  };
}

function series(dates: readonly string[]): readonly string[] {
  return ['date,close', ...dates.map((day, at) => `${day},${100 + at}`)];
}

function inCurrency(text: string): readonly string[] {
  return ['date,close,currency', `2026-11-16,151050,${text}`];
}

function withTime(dates: readonly string[], time: string): readonly string[] {
  return dates.map((day) => `${day}T${time}`);
}

/** Days with these distances between them. */
function days(from: string, ...distances: readonly number[]): readonly string[] {
  const list = [from as PlainDate];
  for (const distance of distances)
    list.push(addDays(list.at(-1) ?? (from as PlainDate), distance));
  return list;
}

test('bars of weeks, months, quarters and years are refused with their interval, in either order', async () => {
  const weekly = days('2026-01-05', 7, 7, 7, 7, 7, 14, 7, 7, 7, 6, 8);
  for (const list of [weekly, weekly.toReversed()]) {
    const { refused } = await imported('ALUA.csv', series(list));
    assert.match(refused, /^the rows are a week apart \(2026-01-05, 2026-01-12, 2026-01-19, …\)/);
  }
  for (const [name, ...list] of [
    ['month', '2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'],
    ['month', '2026-01-30', '2026-02-27', '2026-03-31', '2026-04-30'],
    ['quarter', '2025-12-31', '2026-03-31', '2026-06-30', '2026-09-30'],
    ['year', '2022-12-30', '2023-12-29', '2024-12-30', '2025-12-30'],
  ] as const) {
    const { refused } = await imported('ALUA.csv', series(list));
    assert.match(refused, new RegExp(`^the rows are a ${name} apart .*download the daily series$`));
  }
});

test('weekly bars are refused in a table of several instruments too', async () => {
  const list = days('2026-01-05', 7, 7).flatMap((day) => [`ALUA,${day},1`, `AL30,${day},2`]);
  const { refused } = await imported('x.csv', ['ticker,date,close', ...list]);
  assert.match(refused, /a week apart/);
});

test('a daily series of an instrument that hardly trades is imported', async () => {
  for (const distances of [
    [7, 7],
    [7, 1, 7, 6, 7, 2, 7],
    [30, 2, 29, 31, 1, 30],
    [14, 21, 3, 7, 10],
  ]) {
    const list = days('2026-02-02', ...distances).map((day) => `AL30,${day},1`);
    const { refused } = await imported('x.csv', ['ticker,date,close', ...list]);
    assert.equal(refused, '');
  }
});

test('one instrument of a table that happens to trade once a week does not refuse the others', async () => {
  const list = [
    ...days('2026-02-02', 7, 7, 7, 7).map((day) => `AL30,${day},1`),
    ...days('2026-02-02', 1, 1, 1, 1, 3).map((day) => `ALUA,${day},1`),
  ];
  const { refused } = await imported('x.csv', ['ticker,date,close', ...list]);
  assert.equal(refused, '');
});

test('an export is read whatever its days are', async () => {
  const header = 'ticker,date,close,open,high,low,volume,source';
  const list = days('2026-02-02', 7, 7, 7, 7).map((day) => `ALUA,${day},1,,,,,import:x.csv`);
  assert.equal((await imported('x.csv', [header, ...list])).closes, 5);
});

test('closes on Sundays and none on Fridays are of another time zone, and so are Saturdays without Mondays', async () => {
  const early = days('2026-11-01', 1, 1, 1, 1, 3, 1, 1, 1, 1);
  assert.match(
    (await imported('ALUA.csv', series(early))).refused,
    /^there are closes on Sundays and none on Fridays \(for example 2026-11-01\), so the dates are a day early/,
  );
  const late = days('2026-11-03', 1, 1, 1, 1, 3, 1, 1, 1, 1);
  assert.match(
    (await imported('ALUA.csv', series(late))).refused,
    /^there are closes on Saturdays and none on Mondays \(for example 2026-11-07\), so the dates are a day late/,
  );
  for (const [from, distances, time] of [
    ['2026-11-08', [1, 1, 1, 1], ''],
    ['2026-11-03', [1, 1, 3, 1, 1, 1], ''],
    ['2026-11-05', [3], ' 22:00:00'],
  ] as const) {
    const short = days(from, ...distances).map((day) => `${day}${time}`);
    assert.match(
      (await imported('ALUA.csv', series(short))).refused,
      /^there are closes on Sundays/,
    );
  }
  // One Sunday of a few days may be a mistake.
  for (const time of ['', ' 17:00:00']) {
    const few = days('2026-11-08', 1, 1).map((day) => `${day}${time}`);
    assert.deepEqual((await imported('ALUA.csv', series(few))).rejected, ['no-session']);
  }
  const every = days('2026-10-05', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
  assert.equal((await imported('ALUA.csv', series(every))).closes, 10);
  assert.equal((await imported('BTC.csv', series(early))).closes, 10);
});

test('a time zone is advised only for instants that may be of another day', async () => {
  const midnights = withTime(days('2026-11-08', 1, 1, 1, 1), '00:00:00Z');
  assert.match((await imported('ALUA.csv', series(midnights))).refused, /of another time zone$/);
  const evenings = withTime(days('2026-11-08', 1, 1, 1, 1), '20:00:00Z');
  assert.match((await imported('ALUA.csv', series(evenings))).refused, /; set --zone ZONE$/);
});

function blueOn(fecha: string, compra: number | null, venta: number): object {
  return { casa: 'blue', compra, venta, fecha };
}

test('a row whose bid is above its ask is rejected, in every file that has both', async () => {
  for (const [header, options] of [
    ['fecha,compra,venta', { column: 'venta' }],
    ['Fecha,Compra,Venta', { column: 'Compra' }],
    ['date,blue_compra,blue_venta', { column: 'blue_venta' }],
    ['date,Bid (ARS),Ask (ARS)', { column: 'Ask (ARS)' }],
  ] as const) {
    const rows = [header, '2026-11-16,1400,1450', '2026-11-17,1400,1', '2026-11-18,"1400,0",1440'];
    const { closes, rejected } = await imported('DOLAR BLUE.csv', rows, {
      ...options,
      ticker: 'DOLAR BLUE',
    });
    assert.deepEqual([closes, rejected], [2, ['crossed']], header);
  }
  const rates = [
    blueOn('2026-11-16', 1400, 1450),
    blueOn('2026-11-17', 1400, 1),
    blueOn('2026-11-18', null, 1440),
  ];
  const { closes, rejected } = await imported('blue.json', [JSON.stringify(rates)]);
  assert.deepEqual([closes, rejected.filter((one) => one === 'crossed')], [2, ['crossed']]);
});

test('a bid and an ask of other columns do not concern a close, nor does the seller of another rate', async () => {
  const rows = ['fecha,compra,venta,cierre', '2026-11-16,905,900,902'];
  assert.equal((await imported('ALUA.csv', rows)).closes, 1);
  const rates = ['fecha,blue_compra,mep_venta', '2026-11-16,1400,1300'];
  const options = { ticker: 'DOLAR BLUE', column: 'blue_compra' };
  assert.equal((await imported('x.csv', rates, options)).closes, 1);
});

test('instants late in the day need a time zone unless the days show that they are right', async () => {
  const week = days('2026-11-09', 1, 1, 1, 1);
  assert.equal((await imported('ALUA.csv', series(withTime(week, '23:00:00Z')))).closes, 5);
  const some = week.slice(0, 3);
  assert.match(
    (await imported('ALUA.csv', series(withTime(some, '23:00:00Z')))).refused,
    /^"2026-11-09T23:00:00Z" may be the end of that day or, in another time zone, the start of the next one; set --zone ZONE$/,
  );
  assert.match(
    (await imported('BTC.csv', series(withTime(week, '22:00:00Z')))).refused,
    /--zone ZONE$/,
  );
  for (const time of ['00:00:00Z', '03:00:00Z', '21:00:00Z', '00:00:00-03:00']) {
    assert.equal((await imported('ALUA.csv', series(withTime(some, time)))).closes, 3, time);
  }
});

test('prices in another currency than the instrument are refused, however the file names the currency', async () => {
  for (const [header, price] of [
    ['fecha,cierre', 'US$ 45.2'],
    ['fecha,cierre', 'U$S 45.2'],
    ['fecha,cierre', 'USD 45.2'],
    ['fecha,cierre', '€ 45.2'],
    ['fecha,cierre,moneda', '45.2,USD'],
    ['fecha,cierre,Divisa', '45.2,Dólares'],
    ['date,close,currency', '45.2,EUR'],
  ] as const) {
    const rows = [header, `2026-11-16,${price}`, `2026-11-17,${price}`];
    const { refused, closes } = await imported('AL30.csv', rows);
    assert.match(refused, /^the prices are in (?:USD|EUR), and AL30 is quoted in ARS/, price);
    assert.equal(closes, 0);
  }
  const named = ['fecha,precio_usd', '2026-11-16,45.2'];
  const options = { ticker: 'AL30', column: 'precio_usd' };
  assert.match((await imported('x.csv', named, options)).refused, /^the prices are in USD/);
});

test('headings, files and sheets of yields, parities, durations and ratios are no prices of an instrument that trades', async () => {
  const rows = days('2026-11-02', 1, 1, 1, 4, 1, 1).map((day, at) => `${day},${60 + at / 2}`);
  for (const heading of [
    'paridad',
    'Paridad (%)',
    'parity',
    'paridade',
    'TIR',
    'tir_anual',
    'YTM',
    'yield',
    'Yield %',
    'TNA',
    'duration',
    'duración',
    'Modified Duration',
    'duração',
    'convexidad',
    'rentabilidade',
    'ratio',
    'spread',
    'brecha',
    'volatilidad',
    'Rendimento',
    'Variação',
    'tasa',
  ]) {
    const text = [`fecha,${heading}`, ...rows];
    for (const options of [{ ticker: 'AL30' }, { ticker: 'AL30', column: heading }]) {
      const { refused, closes } = await imported('AL30.csv', text, options);
      assert.match(refused, /^the column ".*" contains .*, not prices of AL30$/, heading);
      assert.equal(closes, 0);
    }
    assert.equal((await imported('AL30.csv', text)).closes, 0, heading);
  }
  for (const file of ['AL30_tir.csv', 'paridad AL30.csv', 'AL30-duration.csv', 'tir_bonos.csv']) {
    for (const heading of ['valor', 'AL30']) {
      const { refused } = await imported(file, [`fecha,${heading}`, ...rows], { ticker: 'AL30' });
      assert.match(refused, /^the name ".*" means .*, not prices of AL30$/, `${file} ${heading}`);
    }
    const { closes } = await imported(file, ['fecha,cierre', ...rows], { ticker: 'AL30' });
    assert.equal(closes, rows.length, file);
  }
  const rate = await imported('x.csv', ['fecha,tasa', ...rows], { ticker: 'CAUCION 7D' });
  assert.equal(rate.closes, rows.length);
});

test('the numbers of rows are no closes, from 0 or from 1, in either order', async () => {
  const dates = days('2026-11-02', 1, 1, 1, 4, 1, 1);
  for (const first of [0, 1]) {
    const numbered = dates.map((day, at) => `${first + at},${day},${900 + at}`);
    for (const rows of [numbered, numbered.toReversed()]) {
      for (const heading of ['Price', 'index', 'Unnamed: 0', 'valor']) {
        const options = { column: heading, ticker: 'ALUA' };
        const { refused } = await imported('x.csv', [`${heading},date,px`, ...rows], options);
        assert.match(refused, /contains the numbers of the rows, not prices$/, heading);
      }
    }
  }
  const closes = dates.map((day, at) => `${day},${at + 1}`);
  assert.equal((await imported('ALUA.csv', ['date,close', ...closes])).closes, dates.length);
});

test('a matrix whose shares have one value, begin with one or never change is none of prices', async () => {
  const shares = makeUniverse(['A', 'B', 'C', 'D'].map((one) => ({ ticker: `${one}LUA` })));
  const dates = days('2026-11-02', 1, 1, 1, 4, 1, 1);
  const table = (valuesOf: (at: number) => readonly number[]) =>
    ['fecha,ALUA,BLUA,CLUA,DLUA', ...dates.map((day, at) => [day, ...valuesOf(at)].join(','))].join(
      '\n',
    );
  await using rig = await ImportRig.open();
  for (const [valuesOf, reason] of [
    [(at: number) => [1530 + at, 1531 - at, 1529, 1540], /are within 10 % of each other/],
    [(at: number) => [100 + at, 100 + 9 * at, 100 - 7 * at, 100], /begin with the same number/],
    [() => [10, 1, 25, 5], /never change/],
  ] as const) {
    const path = await rig.file('m.csv', table(valuesOf));
    const { summary } = await rig.import([path], { universe: shares });
    const [file] = summary.files;
    assert.match(file?.outcome === 'refused' ? file.reason : '', reason);
  }
  const path = await rig.file(
    'm.csv',
    table((at) => [900 + at, 910 + at, 7000, 300 - at]),
  );
  assert.equal((await rig.import([path], { universe: shares })).summary.totals.added, 28);
});

test('a currency in the name of a file is that of its prices', async () => {
  const rows = series(days('2026-11-02', 1, 1, 1));
  for (const [file, ticker, stated] of [
    ['BTC_GBP.csv', 'BTC', 'GBP'],
    ['btc-eur.csv', 'BTC', 'EUR'],
    ['BTCJPY.csv', 'BTC', 'JPY'],
    ['BTC_ARS (1).csv', 'BTC', 'ARS'],
    ['ALUA_USD.csv', 'ALUA', 'USD'],
    ['cierres_usd.csv', 'ALUA', 'USD'],
    ['acciones en dolares.csv', 'ALUA', 'USD'],
  ] as const) {
    const { refused } = await imported(file, rows, { ticker });
    assert.match(
      refused,
      new RegExp(`^the prices are in ${stated}, and ${ticker} is quoted in`),
      file,
    );
  }
  for (const [file, ticker] of [
    ['BTC_USD.csv', 'BTC'],
    ['BTCUSDT.csv', 'BTC'],
    ['ALUA_ARS.csv', 'ALUA'],
    ['ALUA_top.csv', 'USD'],
    ['acciones y dolar.csv', 'ALUA'],
    ['USD.csv', 'USD'],
    ['blue_usd.csv', 'DOLAR BLUE'],
  ] as const) {
    assert.equal((await imported(file, rows, { ticker })).closes, rows.length - 1, file);
  }
});

test('an unknown text in a column of currencies is no currency of an instrument', async () => {
  for (const text of ['ARc', 'GBp', 'GBX', 'ZAc', 'ILA', 'Peso mexicano', 'puntos']) {
    const { refused, closes } = await imported('x.csv', inCurrency(text), { ticker: 'ALUA' });
    assert.equal(refused, `the prices are in ${text}, and ALUA is quoted in ARS`);
    assert.equal(closes, 0);
  }
  for (const text of ['', 'NaN', 'n/a', '$', '1', 'ARS', 'ars', 'Pesos', 'ALUA']) {
    assert.equal((await imported('x.csv', inCurrency(text), { ticker: 'ALUA' })).closes, 1, text);
  }
});

test('a heading of a matrix that is a ticker states no currency', async () => {
  const rows = ['fecha,USD,ALUA', '2026-11-16,45.2,900'];
  assert.equal((await imported('m.csv', rows)).closes, 2);
});

test('pesos for an instrument in dollars are refused, and prices in its own currency are imported', async () => {
  for (const price of ['AR$ 45.2', 'ARS 45.2']) {
    const { refused } = await imported('AL30D.csv', ['fecha,cierre', `2026-11-16,${price}`]);
    assert.match(refused, /^the prices are in ARS, and AL30D is quoted in USD/);
  }
  for (const [file, price] of [
    ['AL30D.csv', 'US$ 45.2'],
    ['AL30D.csv', '$ 45.2'],
    ['AL30.csv', '$ 45.2'],
    ['AL30.csv', 'AR$ 45.2'],
    ['BTC.csv', 'US$ 45.2'],
  ] as const) {
    assert.equal((await imported(file, ['fecha,cierre', `2026-11-16,${price}`])).closes, 1, file);
  }
});

test('where only some rows are in another currency, these are rejected by name', async () => {
  const rows = ['fecha,cierre,moneda', '2026-11-16,45.2,USD', '2026-11-17,70000,ARS'];
  const { closes, rejected } = await imported('AL30.csv', rows);
  assert.deepEqual([closes, rejected], [1, ['other-currency']]);
});

test('a column of an exchange rate may name the currency that has the price, and a rate has none', async () => {
  const rate = ['fecha,cierre,moneda', '2026-11-16,1450,USD'];
  assert.equal((await imported('DOLAR BLUE.csv', rate)).closes, 1);
  assert.equal((await imported('CAUCION 7D.csv', rate)).closes, 1);
});
