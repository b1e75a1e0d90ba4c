import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import type { ImportOptions } from '../../src/import/importer.ts';
import { loadUniverse } from '../../src/universe/load-universe.ts';
import { sharedData } from '../support/shared-data.ts';
import { ImportRig } from './import-into.ts';

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
