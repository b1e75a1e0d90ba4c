import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { foldTicker, parseTicker, tickerKey } from './ticker.ts';
import { anyText } from '../../../test/support/any-text.ts';

test('contract 2.5.2: spellings that differ in case and white space have one key', () => {
  for (const spelling of ['dolar mep', ' DOLAR  MEP ', 'Dolar\tMep', 'DOLAR MEP']) {
    assert.equal(tickerKey(spelling), 'DOLAR MEP');
  }
});

test('folding twice is folding once', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      assert.equal(foldTicker(foldTicker(text)), foldTicker(text));
    }),
  );
});

test('tickers of every form that real universes use are accepted', () => {
  const real = ['AL30', 'DOLAR/EURO', 'CAUCION 1D', 'BA.C', 'AKO.B', 'MEP-CCL', 'GGAL_US', 'S30A6'];
  for (const ticker of real) assert.equal(parseTicker(ticker), ticker);
});

test('a ticker that a list or a header cannot carry is refused', () => {
  const wrong = ['', ' ', ' AL30', 'AL30 ', 'DOLAR  MEP', 'A,B', 'A\nB', 'A\u0000', '=1+1', '"A"'];
  for (const text of wrong) assert.equal(parseTicker(text), undefined, JSON.stringify(text));
  assert.equal(parseTicker('A'.repeat(40)), 'A'.repeat(40));
  assert.equal(parseTicker('A'.repeat(41)), undefined);
});
