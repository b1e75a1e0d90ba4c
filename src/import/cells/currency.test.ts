import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencyOfHeading, currencyOfName, currencyOfPrice } from './currency.ts';

test('the sign or the code before a price names its currency, and $ alone names none', () => {
  for (const [cell, currency] of [
    ['US$ 45.2', 'USD'],
    ['U$S45,2', 'USD'],
    ['u$d 45', 'USD'],
    ['USD 1,234.5', 'USD'],
    ['-US$ 45', 'USD'],
    ['AR$ 45', 'ARS'],
    ['ars 45', 'ARS'],
    ['€45', 'EUR'],
    ['EUR 45', 'EUR'],
    ['£ 45', 'GBP'],
    ['BRL .5', 'BRL'],
    ['$ 45', undefined],
    ['45', undefined],
    ['45 USD', undefined],
    ['abc 45', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(currencyOfPrice(cell), currency, cell);
  }
});

test('a column of currencies may have codes, signs and words in Spanish or English', () => {
  for (const [cell, currency] of [
    ['USD', 'USD'],
    [' usd ', 'USD'],
    ['U$S', 'USD'],
    ['Dólares', 'USD'],
    ['dolar_Estadounidense', 'USD'],
    ['US dollar', 'USD'],
    ['EXT', 'USD'],
    ['ARS', 'ARS'],
    ['Pesos', 'ARS'],
    ['peso_Argentino', 'ARS'],
    ['EUR', 'EUR'],
    ['Peso mexicano', undefined],
    ['USDT', 'USD'],
    ['GBp', undefined],
    ['ARc', undefined],
    ['2', undefined],
    ['$', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(currencyOfName(cell), currency, cell);
  }
});

test('a heading may name the currency of its prices', () => {
  for (const [heading, currency] of [
    ['Close (USD)', 'USD'],
    ['cierre_usd', 'USD'],
    ['Precio en dólares', 'USD'],
    ['Precio en pesos', 'ARS'],
    ['Close', undefined],
    ['BTCUSD', undefined],
    ['TOP close', undefined],
    ['Último', undefined],
  ] as const) {
    assert.equal(currencyOfHeading(heading), currency, heading);
  }
});
