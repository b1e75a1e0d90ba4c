import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import type { ImportOptions } from '../../src/import/refusals/import-refusal.ts';
import { firstEpochDay, lastEpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { loadUniverse } from '../../src/universe/load-universe.ts';
import { sharedData } from '../support/program/shared-data.ts';
import { ImportRig } from './support/import-into.ts';
import { testStamp } from '../support/market/test-change.ts';

/** Files that were once imported incorrectly, with the default universe. */
const found = sharedData('found');
const skip = found === undefined ? 'the shared market data is not available' : false;

async function importFound(file: string, options: ImportOptions = {}) {
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../../universe'));
  const universe = loaded.ok ? loaded.universe : assert.fail('the default universe has faults');
  await using rig = await ImportRig.open();
  const { summary } = await rig.import([join(found ?? '', file)], { universe, options });
  const closes = new Map<string, ReadonlyMap<string, number>>();
  for (const ticker of summary.byTicker.keys()) closes.set(ticker, await rig.closes(ticker));
  return { files: summary.files, totals: summary.totals, closes };
}

interface HouseRow {
  readonly casa: string;
  readonly compra: number | null;
  readonly venta: number | null;
  readonly fecha: string;
}

test(
  'each rate of dolares.json and dolares14.json is stored for its own house',
  { skip },
  async () => {
    const names: Readonly<Record<string, string>> = {
      oficial: 'DOLAR OFICIAL',
      blue: 'DOLAR BLUE',
      bolsa: 'DOLAR MEP',
      contadoconliqui: 'DOLAR CCL',
      mayorista: 'DOLAR MAYORISTA',
      cripto: 'DOLAR CRIPTO',
      tarjeta: 'DOLAR TARJETA',
    };
    for (const file of ['dolares.json', 'dolares14.json']) {
      const rows = JSON.parse(readFileSync(join(found ?? '', file), 'utf8')) as readonly HouseRow[];
      const { closes, totals } = await importFound(file);
      let count = 0;
      let nulls = 0;
      for (const { casa, compra, venta, fecha } of rows) {
        const name = names[casa] ?? assert.fail(casa);
        const rates = [[name, venta] as const];
        if (casa === 'oficial' || casa === 'blue') {
          rates.push([`${name} COMPRA`, compra], [`${name} VENTA`, venta]);
        }
        for (const [ticker, rate] of rates) {
          assert.equal(closes.get(ticker)?.get(fecha), rate ?? undefined, `${ticker} ${fecha}`);
          if (rate === null) nulls += 1;
          else count += 1;
        }
      }
      assert.deepEqual([totals.added, totals.rejected], [count, nulls]);
    }
  },
);

test('CEDEARs in pesos are never stored as US shares without an option', { skip }, async () => {
  for (const file of ['ced/cedears_en_pesos.csv', 'ced/TSLA.csv']) {
    const { files, totals } = await importFound(file);
    assert.deepEqual(
      files.map((one) => one.outcome === 'refused' && one.code),
      ['ambiguous'],
    );
    assert.equal(totals.added, 0);
  }
  const local = await importFound('ced/cedears_en_pesos.csv', { suffix: '' });
  assert.equal(local.closes.get('AAPL')?.get('2026-11-20'), 21200);
  assert.deepEqual([...local.closes.keys()], ['AAPL', 'KO', 'MSFT', 'TSLA']);
});

test('the volume of CryptoCompare is stored', { skip }, async () => {
  for (const file of ['cryptocompare/btcusd.csv', 'cryptocompare/btcusd_trade.zip']) {
    const { closes } = await importFound(file);
    assert.equal(closes.get('BTC')?.get('2018-04-06'), 6619);
  }
});

/** What each input must lead to: closes, or a refusal with this reason. */
const outcomes: readonly {
  readonly file: string;
  readonly options?: ImportOptions;
  readonly refused?: RegExp;
  readonly closes?: Readonly<Record<string, readonly (readonly [string, number])[]>>;
}[] = [
  {
    file: 'bluelytics-column/evolution.csv',
    options: { column: 'value_sell', ticker: 'DOLAR BLUE' },
    refused: /several instruments/,
  },
  { file: 'bluelytics-column/evolution.csv', refused: /several instruments/ },
  {
    file: 'multi-unknown-ticker/prices.csv',
    options: { column: 'CLOSING_PRICE', ticker: 'MMM' },
    refused: /use --ticker-column COMPANY_CODE --suffix ""/,
  },
  {
    file: 'multi-unknown-ticker/prices.csv',
    options: { column: 'CLOSING_PRICE', tickerColumn: 'COMPANY_CODE', suffix: '' },
    closes: {
      MMM: [['2024-01-02', 8000]],
      ABT: [['2024-01-02', 3000]],
      KO: [['2024-01-02', 12000]],
    },
  },
  { file: 'long-format/prices.csv', options: { suffix: '_US' }, refused: /the column "field"/ },
  { file: 'lean-suffix/aig.zip', refused: /^unknown ticker aig; .* --ticker TICKER$/ },
  { file: 'lean-suffix/aig.zip', options: { suffix: '' }, refused: /in USD, and AIG .* in ARS/ },
  {
    file: 'usd-prefix/AL30.csv',
    options: { ticker: 'AL30' },
    refused: /in USD, and AL30 .* in ARS/,
  },
  { file: 'currency-column/AL30.csv', refused: /in USD, and AL30 .* in ARS/ },
  { file: 'weekly-bars/GGALw.csv', options: { ticker: 'GGAL' }, refused: /a week apart/ },
  { file: 'monthly-matrix/SPY.csv', refused: /a month apart/ },
  {
    file: 'monthly-matrix/SPY.csv',
    options: { column: 'SP500', ticker: 'SPY_US' },
    refused: /a month apart/,
  },
  { file: 'utc-midnight/GGAL.csv', options: { ticker: 'GGAL' }, refused: /--zone ZONE$/ },
  {
    file: 'utc-midnight/GGAL.csv',
    options: { ticker: 'GGAL', zone: 'Europe/Berlin' },
    closes: {
      GGAL: [
        ['2024-01-02', 100],
        ['2024-01-05', 103],
      ],
    },
  },
];

test('the files that were read wrong are refused by name, or read right', { skip }, async () => {
  for (const { file, options = {}, refused, closes } of outcomes) {
    const shown = `${file} ${JSON.stringify(options)}`;
    const result = await importFound(`imports/${file}`, options);
    const [one] = result.files;
    if (refused === undefined) assert.equal(one?.outcome, 'imported', shown);
    else assert.match(one?.outcome === 'refused' ? one.reason : '', refused, shown);
    for (const [ticker, expected] of Object.entries(closes ?? {})) {
      for (const [date, close] of expected) {
        assert.equal(result.closes.get(ticker)?.get(date), close, `${shown} ${date}`);
      }
    }
  }
});

test(
  'the volumes that were read wrong are read right, and a second row of a day is rejected',
  { skip },
  async () => {
    for (const [file, ticker, volumes] of [
      ['volume-float/investing.csv', 'AAPL_US', [8030, 1_130_000_000, 264_520_000, 132_360_000]],
      ['volume-thousands/vol.csv', 'GGAL', [1_234_567, 987_654, 12_345, null]],
      ['dup-volume/dup.csv', 'GGAL', [null, 100]],
    ] as const) {
      await using rig = await ImportRig.open();
      const loaded = await loadUniverse(resolve(import.meta.dirname, '../../universe'));
      const universe = loaded.ok ? loaded.universe : assert.fail('the default universe has faults');
      const path = join(found ?? '', 'imports', file);
      const { rejects } = await rig.import([path], { universe, options: { ticker } });
      const stored = await rig.store.history.transaction(
        (one) => one.read(ticker as Ticker, { from: firstEpochDay, to: lastEpochDay }),
        testStamp,
      );
      assert.deepEqual(
        stored.map(({ volume }) => volume),
        volumes,
        file,
      );
      const expected = file.startsWith('dup') ? ['repeated-values', 'repeated-values'] : [];
      assert.deepEqual(
        rejects.map(({ reason }) => reason),
        expected,
        file,
      );
    }
  },
);
