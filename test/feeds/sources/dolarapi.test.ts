import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  dolarapiTickers,
  dolarapiType,
  dollarsPath,
  mapEntries,
} from '../../../src/feeds/sources/dolarapi.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import { fieldsIn } from '../../support/fields-in.ts';
import { testPolledSource } from './source-suite.ts';

const tickers = [
  'DOLAR OFICIAL COMPRA',
  'DOLAR OFICIAL VENTA',
  'DOLAR BLUE COMPRA',
  'DOLAR BLUE VENTA',
  'DOLAR MEP',
  'DOLAR CCL',
  'DOLAR MAYORISTA',
  'DOLAR CRIPTO',
];

function update(ticker: string, at: string, last: number, sides: [number, number]): Update {
  const [bid, ask] = sides;
  return { ticker: ticker as Ticker, at: Date.parse(at), last, bid, ask };
}

testPolledSource({
  type: dolarapiType,
  universe: makeUniverse(
    tickers.map((ticker) => ({ ticker, kind: 'exchange-rate', market: 'CRIPTO' })),
  ),
  config: { instruments: { exclude: ['DOLAR CCL'] } },
  now: Date.parse('2026-11-20T18:00:00Z'),
  respond: ({ url }) =>
    url === '/v1/dolares'
      ? { body: readFileSync(join(import.meta.dirname, '../payloads/dolarapi.json'), 'utf8') }
      : undefined,
  // The wall time of Buenos Aires is set right for the houses that publish it; a crossed quote and a
  // missing side give nothing.
  expected: [
    update('DOLAR OFICIAL COMPRA', '2026-11-20T17:00:00Z', 1485, [1485, 1535]),
    update('DOLAR OFICIAL VENTA', '2026-11-20T17:00:00Z', 1535, [1485, 1535]),
    update('DOLAR BLUE COMPRA', '2026-11-20T17:55:00Z', 1540, [1540, 1560]),
    update('DOLAR BLUE VENTA', '2026-11-20T17:55:00Z', 1560, [1540, 1560]),
    update('DOLAR MAYORISTA', '2026-11-20T17:30:00Z', 1509.5, [1500, 1509.5]),
  ],
});

for (const [file, recordedAt] of [
  ['dolares-20260928.json', '2026-09-28T21:00:00Z'],
  ['dolares-20260821-close.json', '2026-08-22T18:01:07Z'],
] as const) {
  test(`dolarapi: every rate of the recorded ${file} is an update, of the day before at the earliest`, (t) => {
    const path = sharedOrSkip(t, `payloads/dolarapi/${file}`);
    if (path === undefined) return;
    const entries = JSON.parse(readFileSync(path, 'utf8')) as readonly unknown[];
    const at = Date.parse(recordedAt);
    const snapshot = { at, path: dollarsPath, isFromUtcMachine: true };
    const { updates, rejected } = mapEntries(entries, snapshot);
    assert.deepEqual(rejected, []);
    assert.deepEqual(fieldsIn(updates, 'ticker'), dolarapiTickers());
    for (const { ticker, at: instant, last } of updates) {
      const ageHours = (at - instant) / 3_600_000;
      assert.ok(ageHours >= 0 && ageHours < 30, `${ticker} is ${ageHours} hours old`);
      assert.ok((last ?? 0) > 1_000 && (last ?? 0) < 2_500, `${ticker} ${last}`);
    }
  });
}
