import assert from 'node:assert/strict';
import { test } from 'node:test';

import { defaultStrip, readStrip, stripDay, stripMax } from './strip-choice.ts';

test('a stored strip keeps its order, each ticker once, and at most as many as it has room for', () => {
  assert.deepEqual(readStrip({ tickers: ['BTC', 'GGAL', 'BTC'], isShown: false }), {
    tickers: ['BTC', 'GGAL'],
    isShown: false,
  });
  const many = Array.from({ length: stripMax + 5 }, (_, at) => `T${at}`);
  assert.equal(readStrip({ tickers: many, isShown: true })?.tickers.length, stripMax);
  assert.deepEqual(readStrip(structuredClone(defaultStrip)), defaultStrip);
});

test('what is no strip is refused', () => {
  for (const value of [null, [], 'BTC', { tickers: 'BTC', isShown: true }, { tickers: ['BTC'] }]) {
    assert.equal(readStrip(value), undefined, JSON.stringify(value));
  }
  assert.equal(readStrip({ tickers: [7], isShown: true }), undefined);
});

test('a quote of an earlier session has its day, and its year if that is another one', () => {
  assert.equal(stripDay('2026-11-20', '2026-11-26'), '20/11');
  assert.equal(stripDay('2025-12-30', '2026-01-02'), '30/12/2025');
});
