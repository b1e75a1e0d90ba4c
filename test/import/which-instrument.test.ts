import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileResult } from '../../src/import/reports/import-summary.ts';
import type { ImportOptions } from '../../src/import/refusals/import-refusal.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { ImportRig } from './support/import-into.ts';

const universe = makeUniverse([
  { ticker: 'ALUA' },
  { ticker: 'GGAL' },
  { ticker: 'GGAL_US', kind: 'adr', market: 'NYSE' },
  { ticker: 'AAPL', kind: 'cedear' },
  { ticker: 'AAPL_US', market: 'NYSE' },
  { ticker: 'KO', kind: 'cedear' },
  { ticker: 'KO_US', market: 'NYSE' },
  { ticker: 'MO', kind: 'cedear' },
  { ticker: 'TSLA_US', market: 'NYSE' },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'DOLAR OFICIAL', kind: 'exchange-rate' },
  { ticker: 'DOLAR OFICIAL COMPRA', kind: 'exchange-rate' },
  { ticker: 'DOLAR OFICIAL VENTA', kind: 'exchange-rate' },
  { ticker: 'DOLAR BLUE', kind: 'exchange-rate' },
  { ticker: 'DOLAR BLUE COMPRA', kind: 'exchange-rate' },
  { ticker: 'DOLAR BLUE VENTA', kind: 'exchange-rate' },
  { ticker: 'DOLAR MEP', kind: 'exchange-rate' },
]);

interface Outcome {
  readonly file: FileResult;
  readonly closes: Readonly<Record<string, readonly number[]>>;
}

/** Imports one file into an empty store, and returns the closes of each instrument in order of date. */
async function importOne(
  name: string,
  text: string,
  options: ImportOptions = {},
  now?: number,
): Promise<Outcome & { readonly rejected: number }> {
  await using rig = await ImportRig.open();
  const files = [await rig.file(name, text)];
  const { summary } = await rig.import(files, {
    universe,
    options,
    ...(now !== undefined && { now }),
  });
  const [file = assert.fail()] = summary.files;
  const closes: Record<string, readonly number[]> = {};
  for (const { ticker } of universe.instruments) {
    const stored = [...(await rig.closes(ticker)).values()];
    if (stored.length > 0) closes[ticker] = stored;
  }
  return { file, closes, rejected: summary.totals.rejected };
}

function refusal({ file, closes }: Outcome): string {
  assert.deepEqual(closes, {});
  return file.outcome === 'refused'
    ? `${file.code}: ${file.reason}`
    : assert.fail('the file was not refused');
}

function unknownColumns({ file }: Outcome): readonly string[] {
  return file.outcome === 'imported' ? file.columnsUnknown : assert.fail(file.reason);
}

test('a share that the universe only has in the US does not make a matrix a US matrix', async () => {
  const cedears = 'Fecha,AAPL,KO,TSLA\n2026-11-18,21000,15500,45250\n2026-11-19,21100,15600,46100';
  assert.match(
    refusal(await importOne('cedears_en_pesos.csv', cedears)),
    /^ambiguous: the column AAPL may be AAPL .* or AAPL_US .*--suffix "" or --suffix _US$/,
  );
  const local = await importOne('cedears_en_pesos.csv', cedears, { suffix: '' });
  assert.deepEqual(local.closes, { AAPL: [21000, 21100], KO: [15500, 15600] });
  assert.deepEqual(unknownColumns(local), ['TSLA']);
  const us = await importOne('m.csv', cedears, { suffix: '_US' });
  assert.deepEqual(Object.keys(us.closes), ['AAPL_US', 'KO_US', 'TSLA_US']);
});

test('the TSLA.csv of Yahoo is the US share, because Yahoo uses .BA for Buenos Aires', async () => {
  const text = 'Date,Open,High,Low,Close,Adj Close,Volume\n2026-11-16,1,3,1,2,1.9,5';
  assert.deepEqual((await importOne('TSLA.csv', text)).closes, { TSLA_US: [2] });
  assert.match(refusal(await importOne('AAPL.csv', text)), /^ambiguous: AAPL may be/);
  assert.match(refusal(await importOne('MO.csv', text)), /^ambiguous: MO may be/);
});

test('a column ticker or especie has tickers of the universe, whatever the other columns are', async () => {
  const header = ['ticker', 'date', 'close', 'open', 'high', 'low', 'volume', 'source'];
  const instruments = [
    'GGAL,2026-11-16,7000,6900,7100,6800,10,x',
    'GGAL_US,2026-11-16,50,49,51,48,10,x',
  ];
  for (const columns of [3, 4, 6, 7, 8]) {
    const lines = [header.join(','), ...instruments].map((line) =>
      line.split(',').slice(0, columns).join(','),
    );
    const { closes } = await importOne('closes.csv', lines.join('\n'));
    assert.deepEqual(closes, { GGAL: [7000], GGAL_US: [50] }, `${columns} columns`);
  }
  const spanish =
    'Fecha;Especie;Cierre;Nota\n18/11/2026;AAPL;21.000,00;a\n18/11/2026;GGAL;7.000,50;b';
  assert.deepEqual((await importOne('x.csv', spanish)).closes, { AAPL: [21000], GGAL: [7000.5] });
  // Names under another heading are those of the program that wrote them.
  const others = 'symbol,date,close\nGGAL,2026-11-16,7000';
  assert.match(refusal(await importOne('closes.csv', others)), /^ambiguous: GGAL may be GGAL/);
  const named = await importOne('closes.csv', others.replace('symbol', 'name'), {
    tickerColumn: 'name',
    suffix: '_US',
  });
  assert.deepEqual(named.closes, { GGAL_US: [7000] });
});

test('a file with a column ticker is refused where it contradicts that reading', async () => {
  // TSLA is only known as a US share, so these are names of a US exchange.
  const names = 'ticker,date,close\nAAPL,2026-11-16,270\nTSLA,2026-11-16,410';
  const refused = refusal(await importOne('closes.csv', names));
  assert.match(
    refused,
    /^ambiguous: TSLA may be TSLA_US .* or a local instrument that is not .*--suffix _US$/,
  );
  const us = await importOne('closes.csv', names, { suffix: '_US' });
  assert.deepEqual(us.closes, { AAPL_US: [270], TSLA_US: [410] });
  const currency = 'ticker,date,close,currency\nAAPL,2026-11-16,270,USD';
  assert.match(
    refusal(await importOne('closes.csv', currency)),
    /^option-mismatch: the prices are in USD/,
  );
});

test('a file with a column ticker is refused if it has sessions of the US share only', async () => {
  const text = 'ticker,date,close\nKO,2026-11-20,70\nKO,2026-11-23,71\nKO,2026-11-24,72';
  const now = Date.UTC(2026, 11, 1);
  assert.match(
    refusal(await importOne('closes.csv', text, {}, now)),
    /^ambiguous: KO may be KO .* or KO_US .*, because BYMA had no session on 2026-11-23, of which the file has a close; choose with --suffix "" or --suffix _US$/,
  );
  // The NYSE had none on 2026-11-26, so the days do not decide.
  const both = `${text}\nKO,2026-11-26,73`;
  const { closes, rejected } = await importOne('closes.csv', both, {}, now);
  assert.deepEqual([closes, rejected], [{ KO: [70, 72, 73] }, 1]);
  const local = await importOne('closes.csv', text, { suffix: '' }, now);
  assert.deepEqual(local.closes, { KO: [70, 72] });
});

test('a file with a column ticker is refused if the stored closes are far from its own', async () => {
  await using rig = await ImportRig.open();
  const stored = await rig.file(
    'stored.csv',
    'ticker,date,close\nKO,2026-11-13,15500\nKO,2026-11-16,15600',
  );
  await rig.import([stored], { universe });
  const text = 'ticker,date,close\nKO,2026-11-12,70\nKO,2026-11-16,71\nKO,2026-11-17,15650';
  const path = await rig.file('us.csv', text);
  const { summary } = await rig.import([path], { universe });
  const [file = assert.fail()] = summary.files;
  assert.equal(file.outcome, 'refused');
  assert.match(
    file.outcome === 'refused' ? file.reason : '',
    /^KO may be KO .* or KO_US .*, because its close of 2026-11-12 is 70, and the stored one of 2026-11-13 is 15500; choose with --suffix "" --replace or --suffix _US$/,
  );
  assert.deepEqual([...(await rig.closes('KO')).values()], [15500, 15600]);
  const most = await rig.file('most.csv', `${text}\nKO,2026-11-18,15700`);
  assert.equal((await rig.import([most], { universe })).summary.files[0]?.outcome, 'imported');
  const said = await rig.import([path], { universe, options: { suffix: '_US' } });
  assert.equal(said.summary.files[0]?.outcome, 'imported');
  assert.deepEqual([...(await rig.closes('KO_US')).values()], [70, 71, 15650]);
});

test('a matrix with a share that is only traded locally is local, and columns without a local instrument are left out and named', async () => {
  const matrix = await importOne(
    'm.csv',
    'Date,ALUA,GGAL,KO,TSLA\n2026-11-16,900,7000,15500,45250',
  );
  assert.deepEqual(matrix.closes, { ALUA: [900], GGAL: [7000], KO: [15500] });
  assert.deepEqual(unknownColumns(matrix), ['TSLA']);
});

test('days and stored closes may contradict the market that the other headings of a matrix give', async () => {
  const now = Date.UTC(2026, 11, 1);
  const days = 'Date,ALUA,KO\n2026-11-20,900,70\n2026-11-23,901,71\n2026-11-24,902,72';
  assert.match(
    refusal(await importOne('m.csv', days, {}, now)),
    /^ambiguous: KO may be KO .* or KO_US .*, because BYMA had no session on 2026-11-23/,
  );
  await using rig = await ImportRig.open();
  const files = [
    await rig.file('1.csv', 'Date,ALUA,KO\n2026-11-16,900,15500\n2026-11-17,901,15600'),
    await rig.file('2.csv', 'Date,ALUA,KO\n2026-11-17,901,70\n2026-11-18,902,71'),
  ];
  const { summary } = await rig.import(files, { universe });
  const [first, second] = summary.files;
  assert.equal(first?.outcome, 'imported');
  assert.match(
    second?.outcome === 'refused' ? second.reason : '',
    /^KO may be KO .* or KO_US .*, because its close of 2026-11-17 is 70, and the stored one .*15600/,
  );
});

test('an index does not determine the market of a matrix', async () => {
  const text = 'Date,MERVAL,GGAL\n2026-11-16,2000000,50';
  assert.match(refusal(await importOne('m.csv', text)), /^ambiguous: the column GGAL may be GGAL/);
});

test('with --suffix _US, a heading that is only a CEDEAR is left out, and the other columns are imported', async () => {
  const text = 'Date,AAPL,KO,MO\n2026-11-16,270,70,57';
  const us = await importOne('m.csv', text, { suffix: '_US' });
  assert.deepEqual(us.closes, { AAPL_US: [270], KO_US: [70] });
  assert.deepEqual(unknownColumns(us), ['MO']);
});

test('a name with its own market suffix is an instrument of that market', async () => {
  const text = 'Date,AAPL.US,KO.BA,GGAL US Equity\n2026-11-16,270,15500,50';
  assert.deepEqual((await importOne('m.csv', text)).closes, {
    AAPL_US: [270],
    KO: [15500],
    GGAL_US: [50],
  });
});

test('--column selects one column of a plain matrix by its heading, alone or with --ticker', async () => {
  const text = 'Date,ALUA,KO,NADA\n2026-11-16,900,15500,5';
  const options = { column: 'alua' };
  assert.deepEqual((await importOne('m.csv', text, options)).closes, { ALUA: [900] });
  const named = await importOne('m.csv', text, { column: 'NADA', ticker: 'MERVAL' });
  assert.deepEqual(named.closes, { MERVAL: [5] });
});

test('--column selects an instrument of a matrix with five columns each, by either name', async () => {
  const text = 'Date,X:open,X:close,Y:open,Y:close\n2026-11-16,1,2,3,4';
  for (const column of ['Y', 'y:close']) {
    const one = await importOne('m.csv', text, { column, ticker: 'MERVAL' });
    assert.deepEqual(one.closes, { MERVAL: [4] });
  }
});

test('--column is refused for a column without closes, and for a heading that occurs twice', async () => {
  const matrix = 'Date,ALUA,KO\n2026-11-16,900,15500';
  assert.match(
    refusal(await importOne('m.csv', matrix, { column: 'Date' })),
    /^option-mismatch: the column "Date" has no closes; the columns are Date, ALUA, KO$/,
  );
  assert.match(
    refusal(await importOne('m.csv', matrix, { column: 'GGAL' })),
    /^option-mismatch: there is no column "GGAL"/,
  );
  const twice = 'fecha,cierre,cierre\n2026-11-16,1,2';
  assert.match(
    refusal(await importOne('ALUA.csv', twice, { column: 'cierre' })),
    /^option-mismatch: 2 columns are named "cierre"; rename all but one/,
  );
});

const houses = [
  { casa: 'blue', compra: 4, venta: 5, fecha: '2026-11-16' },
  { casa: 'mayorista', compra: 3.97, venta: 3.98, fecha: '2026-11-16' },
  { casa: 'oficial', compra: 1, venta: 2, fecha: '2026-11-16' },
  { casa: 'oficial', compra: null, venta: null, fecha: '2026-11-17' },
  { casa: 'bolsa', compra: 8, venta: 9, fecha: '2026-11-17' },
  { casa: 'blue', compra: 6, venta: 7, fecha: '2026-11-17' },
];

test('each row of argentinadatos is stored for its own house', async () => {
  const { closes, rejected } = await importOne('dolares.json', JSON.stringify(houses));
  assert.deepEqual(closes, {
    'DOLAR OFICIAL': [2],
    'DOLAR OFICIAL COMPRA': [1],
    'DOLAR OFICIAL VENTA': [2],
    'DOLAR BLUE': [5, 7],
    'DOLAR BLUE COMPRA': [4, 6],
    'DOLAR BLUE VENTA': [5, 7],
    'DOLAR MEP': [9],
  });
  // Rejected: the bid, the ask and the rate of the null row, and the house that the universe lacks.
  assert.equal(rejected, 4);
});

test('--ticker is refused for rows of several houses, and selects a column of one house', async () => {
  const text = JSON.stringify(houses);
  const options = { ticker: 'MERVAL', column: 'compra' };
  assert.match(
    refusal(await importOne('dolares.json', text, options)),
    /^option-mismatch: --ticker MERVAL does not fit: the rows name DOLAR BLUE, MAYORISTA|DOLAR MAYORISTA/,
  );
  const blue = JSON.stringify(houses.filter(({ casa }) => casa === 'blue'));
  const taken = await importOne('dolares.json', blue, options);
  assert.deepEqual(taken.closes, { MERVAL: [4, 6] });
});

test('a series of datos.gob.ar is read with indice_tiempo as the date', async () => {
  const text = 'indice_tiempo,tipo_cambio_bna_vendedor\n2026-11-16,1450.5\n2026-11-17,1451';
  const { closes } = await importOne('series.csv', text, { ticker: 'DOLAR OFICIAL' });
  assert.deepEqual(closes, { 'DOLAR OFICIAL': [1450.5, 1451] });
});

test('a column of returns is refused for an instrument with prices, with or without --ticker', async () => {
  const dates = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'];
  const values = ['0.012', '-0.004', '0.003', '-0.021'];
  const rows = dates.map((date, at) => `${date},${values[at]}`).join('\n');
  const ticker = 'ALUA';
  for (const heading of ['Return', 'daily_returns', 'Retorno', 'Variación %', 'pct_change']) {
    const refused = refusal(await importOne('x.csv', `Date,${heading}\n${rows}`, { ticker }));
    assert.match(
      refused,
      /^not-prices: the column ".*" contains returns or changes, not prices of ALUA/,
    );
  }
  for (const heading of ['ALUA', 'Close', 'serie']) {
    const refused = refusal(await importOne('x.csv', `Date,${heading}\n${rows}`, { ticker }));
    assert.match(refused, /^not-prices: 2 of the first 4 values of ALUA in the column/);
  }
  const matrix = `Date,ALUA,GGAL\n${dates.map((date, at) => `${date},900,${values[at]}`).join('\n')}`;
  assert.match(refusal(await importOne('m.csv', matrix)), /2 of the first 4 values of GGAL/);
});

test('a negative price is rejected, and its column is not treated as returns', async () => {
  const prices = 'Date,Close\n2026-11-16,-900\n2026-11-17,901\n2026-11-18,902';
  const { closes, rejected } = await importOne('ALUA.csv', prices);
  assert.deepEqual([closes, rejected], [{ ALUA: [901, 902] }, 1]);
});

test('the volume in coins of CryptoCompare is read, and the other volume is reported as unused', async () => {
  const text = 'time,high,low,open,volumefrom,volumeto,close\n2026-11-16,3,1,1,19.5,40000,2';
  await using rig = await ImportRig.open();
  const path = await rig.file('ALUA.csv', text);
  const { summary } = await rig.import([path], { universe });
  const [file] = summary.files;
  assert.deepEqual(file?.outcome === 'imported' && file.columnsUnused, ['volumeto']);
  const [close] = (
    await rig.store.history.latestCloses([universe.instruments[0]?.ticker ?? assert.fail()])
  ).values();
  assert.equal(close?.volume, 19.5);
});

test('an option with a decimal sign that no price has is refused', async () => {
  const refused = refusal(
    await importOne('ALUA.csv', 'Date,Close\n2026-11-16,1.5', { decimal: ',' }),
  );
  assert.match(refused, /^option-mismatch: no price is a number with "," .*"1\.5"/);
});
