import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Quote } from '../market/api/quote.ts';
import { filterFields, matches, parseFilter } from './row-filter.ts';

function matching(text: string, values: Partial<Quote>, tir?: number): boolean {
  const quote: Quote = {
    especie: 'GGAL',
    fecha: '2026-11-20',
    ultimo: 100,
    variacion: null,
    varMTD: null,
    varYTD: null,
    volumen: null,
    ...values,
  };
  const bond = tir === undefined ? null : { fecha: quote.fecha, tir };
  return matches({ ticker: 'GGAL', quote }, parseFilter(text), () => ({
    info: undefined,
    bond: bond as never,
  }));
}

test('a comparison names a column by its title, with or without its accents', () => {
  for (const text of ['variación > 2', 'VARIACION>2 %', 'var > 1,99', 'variación >= 2,01']) {
    assert.equal(matching(text, { variacion: 2.01 }), true, text);
    assert.equal(matching(text, { variacion: 1.5 }), false, text);
  }
  assert.equal(matching('variación < -1', { variacion: -1.5 }), true);
  assert.equal(matching('variación < −1', { variacion: 0 }), false);
});

test('amounts have units, and a range includes its ends', () => {
  assert.equal(matching('monto > 20 M', { monto: 20_000_001 }), true);
  assert.equal(matching('monto > 20 M', { monto: 19_000_000 }), false);
  assert.equal(matching('monto > 1.500', { monto: 1501 }), true);
  assert.equal(matching('TIR entre 5 y 8', {}, 8), true);
  assert.equal(matching('TIR entre 5 y 8', {}, 8.01), false);
});

test('a value that is not known meets no condition', () => {
  assert.equal(matching('variación > -100', {}), false);
  assert.equal(matching('monto < 5', {}), false);
});

test('the rest of a text is looked for in tickers and names, and several conditions apply together', () => {
  assert.equal(matching('ggal variación > 2', { variacion: 3 }), true);
  assert.equal(matching('variación > 2 ggal', { variacion: 3 }), true);
  assert.equal(matching('variación > 2 ypf', { variacion: 3 }), false);
  assert.equal(matching('variación > 2 volumen > 5', { variacion: 3, volumen: 6 }), true);
  assert.equal(matching('variación > 2 volumen > 5', { variacion: 3, volumen: 4 }), false);
  assert.equal(matching('gga', {}), true);
  assert.equal(matching('nada > 5', {}), false);
});

test('the compared fields are known, so that they can be requested', () => {
  assert.deepEqual(filterFields('monto > 5 tir < 3'), ['monto', 'tir']);
  assert.deepEqual(filterFields('galicia'), []);
});
