import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../support/make-universe.ts';
import { ImportRig } from './import-into.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'GGAL_US', kind: 'adr', market: 'NYSE' },
  { ticker: 'DOLAR MEP', kind: 'exchange-rate' },
  { ticker: 'RIESGO PAIS', kind: 'country-risk' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
  { ticker: 'BTCUSD', kind: 'crypto', market: 'CRIPTO' },
]);

/** For each layout of one row a close: a file whose second row, of 17 November 2026, has no close. */
const files: Readonly<
  Record<string, { readonly name: string; readonly lines: readonly string[] }>
> = {
  'rava-history': {
    name: 'rava.csv',
    lines: [
      'especie,fecha,apertura,maximo,minimo,cierre,volumen,timestamp',
      'GGAL,2026-11-16,1,3,1,2,10,0',
      'GGAL,2026-11-17,1,3,1,,10,0',
    ],
  },
  yahoo: {
    name: 'GGAL_US.csv',
    lines: [
      'Date,Open,High,Low,Close,Adj Close,Volume',
      '2026-11-16,1,3,1,2,2,10',
      '2026-11-17,1,3,1,,2,10',
    ],
  },
  nasdaq: {
    name: 'GGAL.csv',
    lines: [
      'Date,Close/Last,Volume,Open,High,Low',
      '11/16/2026,$2.00,10,$1.00,$3.00,$1.00',
      '11/17/2026,,10,$1.00,$3.00,$1.00',
    ],
  },
  pizarra: {
    name: 'export.csv',
    lines: [
      'ticker,date,close,open,high,low,volume',
      'GGAL,2026-11-16,2,1,3,1,10',
      'GGAL,2026-11-17,,1,3,1,10',
    ],
  },
  'byma-series': {
    name: 'series.csv',
    lines: [
      'SIMBOLO;FECHA;VENCIMIENTO;CIERRE;VOLUMEN NOMINAL',
      'GGAL;2026-11-16;24 hs.;2,5;10',
      'GGAL;2026-11-17;24 hs.;;10',
    ],
  },
  'argentinadatos-exchange-rate': {
    name: 'bolsa.csv',
    lines: ['casa,compra,venta,fecha', 'bolsa,1,2,2026-11-16', 'bolsa,1,,2026-11-17'],
  },
  'argentinadatos-index': {
    name: 'riesgo-pais.csv',
    lines: ['valor,fecha', '700,2026-11-16', ',2026-11-17'],
  },
  'crypto-data-download': {
    name: 'cdd.csv',
    lines: [
      'https://www.CryptoDataDownload.com',
      'date,symbol,open,high,low,close,volume_btc,volume',
      '2026-11-16,BTCUSD,1,3,1,2,10,20',
      '2026-11-17,BTCUSD,1,3,1,,10,20',
    ],
  },
  generic: { name: 'RIESGO PAIS.csv', lines: ['date,close', '2026-11-16,2', '2026-11-17,'] },
  // These two know their columns from the rows themselves, so most rows have to be whole.
  headerless: {
    name: 'RIESGO PAIS.csv',
    lines: [
      ...Array.from({ length: 10 }, (_, day) => `2026-09-${String(day + 7)},1,3,1,2,10`),
      '2026-11-17,1,3,1,,10',
    ],
  },
  lean: {
    name: 'ggal.csv',
    lines: [
      ...Array.from({ length: 5_000 }, () => '20261116 00:00,10000,30000,10000,20000,10'),
      '20261117 00:00,10000,30000,10000,,10',
    ],
  },
};

for (const [layout, { name, lines }] of Object.entries(files)) {
  test(`${layout}: a row without a close is rejected and named, not passed over`, async () => {
    await using rig = await ImportRig.open();
    const path = await rig.file(name, lines.join('\n'));
    const { summary, rejects } = await rig.import([path], { universe });
    const [file] = summary.files;
    assert.equal(file?.outcome === 'imported' ? file.layout : file?.outcome, layout);
    const gaps = rejects.filter(({ reason }) => reason === 'no-number');
    assert.deepEqual(
      new Set(gaps.map(({ line, row }) => `${line} ${row.join()}`)),
      new Set([`${lines.length} ${(lines.at(-1) ?? '').replaceAll(';', ',')}`]),
    );
  });
}
