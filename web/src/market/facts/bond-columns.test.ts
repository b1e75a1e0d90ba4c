import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { InstrumentInfo, Quote } from '../api/quote.ts';
import { bondFigures } from '../../../../test/support/market/bond-figures.ts';
import { bondColumns } from './bond-columns.ts';

const quote: Quote = {
  especie: 'AL30',
  fecha: '2026-11-26',
  ultimo: 93_774,
  variacion: null,
  varMTD: null,
  varYTD: null,
  volumen: null,
};
const { tir, durationModificada, paridad, vencimiento } = bondColumns;

function info(nombre: string): InstrumentInfo {
  const rest = { especie: 'AL30', tipo: 'bono', mercado: 'BYMA', moneda: 'ARS', decimales: 2 };
  return { ...rest, nombre, unidadVariacion: 'por-ciento' } as InstrumentInfo;
}

test('yield and parity are percentages, the duration is in years, with two decimals as in Argentina', () => {
  const bond = bondFigures({ tir: 7.7451, durationModificada: 1.8422, paridad: 1101.6967 });
  const facts = { quote, info: undefined, bond };
  assert.equal(tir.text(facts), '7,75\u00a0%');
  assert.equal(durationModificada.text(facts), '1,84');
  assert.equal(paridad.text(facts), '1.101,70\u00a0%');
  assert.equal(tir.value(facts), 7.7451);
  assert.equal(tir.text({ ...facts, bond: { ...bond, tir: -1.1476 } }), '−1,15\u00a0%');
  assert.equal(tir.text({ ...facts, bond: { ...bond, tir: -0.004 } }), '0,00\u00a0%');
});

test('the maturity is that of the terms, and that of the name only without terms', () => {
  const named = info('LECAP vto. 30/11/2026');
  assert.equal(vencimiento.text({ quote, info: named, bond: bondFigures({}) }), '09/07/2030');
  assert.equal(vencimiento.text({ quote, info: named, bond: null }), '30/11/2026');
  assert.equal(vencimiento.text({ quote, info: named }), '30/11/2026');
  const unknown = { quote, info: info('ON YPF'), bond: null };
  assert.equal(vencimiento.text(unknown), '–');
  assert.match(vencimiento.hint(unknown) ?? '', /condiciones de emisión/);
});

test('a dash says why the figure is missing', () => {
  const hintOf = (changes: Parameters<typeof bondFigures>[0]) => {
    const facts = { quote, info: undefined, bond: bondFigures({ tir: null, ...changes }) };
    assert.equal(tir.text(facts), '–');
    return tir.hint(facts);
  };
  assert.equal(hintOf({ estado: 'sin-indice' }), 'Falta el valor del índice');
  assert.equal(
    hintOf({ estado: 'sin-indice', indice: 'CER', fechaIndice: '2026-11-17' }),
    'Falta el valor del índice: CER del 17/11/2026',
  );
  assert.match(hintOf({ estado: 'sin-cambio' }) ?? '', /^Falta el dólar/);
  assert.equal(hintOf({ estado: 'sin-solucion' }), 'Ninguna tasa da ese precio');
  assert.match(hintOf({ estado: 'precio-dudoso' }) ?? '', /^El precio es dudoso/);
  assert.equal(hintOf({ estado: 'vencido' }), 'El bono venció');
  assert.equal(tir.hint({ quote: undefined, info: undefined, bond: null }), 'Sin cotización');
  assert.equal(tir.hint({ quote, info: undefined }), undefined, 'while it is requested');
});

test('a figure of another session than the price is not shown', () => {
  const bond = bondFigures({ fecha: '2026-11-25' });
  const facts = { quote, info: undefined, bond };
  assert.equal(tir.text(facts), '–');
  assert.equal(tir.hint(facts), 'Todavía no se calculó con el precio de esta rueda');
  assert.equal(vencimiento.text(facts), '09/07/2030');
});

test('a figure says what it supposes', () => {
  const bond = bondFigures({ supuesto: 'sin opciones; terminos en duda' });
  const hint = tir.hint({ quote, info: undefined, bond });
  assert.equal(hint, 'Supuesto: sin opciones; términos en duda');
});
