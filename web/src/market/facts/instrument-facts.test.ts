import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { InstrumentInfo, Quote } from '../api/quote.ts';
import { impliedRate, maturityOf, unitsPerReceipt } from './instrument-facts.ts';

const receipt: InstrumentInfo = {
  especie: 'AAPL',
  nombre: 'CEDEAR Apple Inc.',
  tipo: 'cedear',
  mercado: 'BYMA',
  moneda: 'ARS',
  decimales: 4,
  unidadVariacion: 'por-ciento',
  ratio: '20:1',
  subyacente: 'AAPL_US',
};

function quote(especie: string, ultimo: number, fecha = '2026-11-20'): Quote {
  const rest = { variacion: null, varMTD: null, varYTD: null, volumen: null };
  return { especie, fecha, ultimo, ...rest };
}

test('the maturity is the date of the name, and never a guess from a year', () => {
  assert.equal(maturityOf({ nombre: 'LECAP vto. 30/11/2026 (ISIN AR0451031345)' }), '2026-11-30');
  assert.equal(maturityOf({ nombre: 'Bono Global Rep. Argentina USD Step Up 2030' }), undefined);
  assert.equal(maturityOf(undefined), undefined);
});

test('a ratio says how many units of the underlying a receipt represents', () => {
  assert.equal(unitsPerReceipt('20:1'), 0.05);
  assert.equal(unitsPerReceipt('1:3'), 3);
  for (const ratio of [undefined, '', '20', '0:1', '1:0', 'a:b']) {
    assert.equal(unitsPerReceipt(ratio), undefined, String(ratio));
  }
});

test('the implied rate makes a receipt cost as much as what it represents', () => {
  const facts = {
    quote: quote('AAPL', 15_000),
    info: receipt,
    underlying: quote('AAPL_US', 200),
  };
  assert.equal(impliedRate(facts), 1_500);
});

test('without the price of the underlying of the same day, a ratio or pesos there is no implied rate', () => {
  const facts = { quote: quote('AAPL', 15_000), info: receipt, underlying: quote('AAPL_US', 200) };
  const { ratio: _ratio, ...unrelated } = receipt;
  assert.equal(impliedRate({ ...facts, underlying: undefined }), undefined);
  assert.equal(
    impliedRate({ ...facts, underlying: quote('AAPL_US', 200, '2026-11-19') }),
    undefined,
  );
  assert.equal(impliedRate({ ...facts, underlying: quote('AAPL_US', 0) }), undefined);
  assert.equal(impliedRate({ ...facts, info: unrelated }), undefined);
  assert.equal(impliedRate({ ...facts, info: { ...receipt, moneda: 'USD' } }), undefined);
  assert.equal(impliedRate({ ...facts, quote: undefined }), undefined);
});
