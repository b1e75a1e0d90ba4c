import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barsOfPair, closesOfLine, pairsOf, type ShownInstrument } from './pairs.ts';

const one = (ticker: string, moneda = 'ARS'): ShownInstrument => ({ ticker, info: { moneda } });
const [al30, gd30, al30d] = [one('AL30'), one('GD30'), one('AL30D', 'USD')];
const refusals = (...[instruments, options]: Parameters<typeof pairsOf>) =>
  pairsOf(instruments, options).map(({ refusal }) => refusal);

test('the instrument makes a pair with each compared one', () => {
  const pairs = pairsOf([al30, gd30, one('AE38')], { currency: 'original', mode: 'diferencia' });
  assert.deepEqual(
    pairs.map(({ name, unit, refusal }) => [name, unit, refusal]),
    [
      ['AL30 − GD30', 'ARS', undefined],
      ['AL30 − AE38', 'ARS', undefined],
    ],
  );
  assert.deepEqual(pairsOf([al30], { currency: 'mep', mode: 'cociente' }), []);
  assert.deepEqual(pairsOf([], { currency: 'mep', mode: 'cociente' }), []);
});

test('a quotient has no unit, and a difference has that of its prices', () => {
  const [quotient] = pairsOf([al30, gd30], { currency: 'mep', mode: 'cociente' });
  const [difference] = pairsOf([al30, gd30], { currency: 'mep', mode: 'diferencia' });
  assert.deepEqual([quotient?.unit, difference?.unit], ['', 'USD MEP']);
});

test('prices in pesos and in dollars make a pair only in dollars, and the page says so', () => {
  assert.deepEqual(refusals([al30, al30d], { currency: 'original', mode: 'cociente' }), [
    'AL30 está en ARS y AL30D en USD. Para ver el cociente, elegir un dólar en «Moneda».',
  ]);
  assert.deepEqual(refusals([al30, al30d], { currency: 'ccl', mode: 'cociente' }), [undefined]);
});

test('values that are no money make a pair only among themselves', () => {
  const risk = one('RIESGO PAIS', 'bp');
  assert.deepEqual(refusals([al30, risk], { currency: 'mep', mode: 'diferencia' }), [
    'AL30 está en USD MEP y RIESGO PAIS en puntos básicos, que no se pueden convertir. Para compararlas, elegir «Variación».',
  ]);
  assert.deepEqual(refusals([risk, risk], { currency: 'mep', mode: 'diferencia' }), [undefined]);
});

test('a pair that is refused has no values', () => {
  const bars = [{ time: '2026-11-20', day: '2026-11-20', close: 6, volume: 1 }];
  const [good, refused] = pairsOf([al30, gd30, al30d], {
    currency: 'original',
    mode: 'diferencia',
  });
  assert.ok(good !== undefined && refused !== undefined);
  assert.equal(barsOfPair(good, [bars, bars], 'diferencia')[0]?.close, 0);
  assert.deepEqual(barsOfPair(refused, [bars, bars], 'diferencia'), []);
  assert.deepEqual(closesOfLine('AL30 − GD30', bars), [
    { especie: 'AL30 − GD30', fecha: '2026-11-20', ultimo: 6, volumen: null },
  ]);
});
