import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { SimulatedBooks } from './simulated-feed.ts';

const { instruments } = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'CENT', decimals: 2 },
  { ticker: 'BTC', kind: 'crypto', decimals: 8 },
  { ticker: 'AL30', kind: 'bond', decimals: 5 },
]);
const noon = Date.parse('2026-11-20T12:00:00-03:00');

test('a simulated book surrounds the price, on the steps of prices, and is never crossed or empty', () => {
  const books = new SimulatedBooks(1);
  for (const instrument of instruments) {
    for (const last of [0.01, 0.05, 1.02, 87.35, 7_410, 97_123, 2_310_450]) {
      for (let step = 0; step < 50; step += 1) {
        const price = { last, volume: step * 1_000 };
        const book = books.at(instrument, price, noon + step * 700) ?? assert.fail('no book');
        const { bid = 0, ask = 0, bidSize = 0, askSize = 0, amount, trades } = book;
        const message = `${instrument.ticker} ${last} ${bid} ${ask}`;
        assert.ok(bid > 0 && bid < ask, message);
        assert.ok(bid <= last || last === 0.01, message);
        assert.ok(ask >= last && ask - bid <= Math.max(last * 0.01, 0.03), message);
        assert.ok(String(bid).length <= 10 && String(ask).length <= 10, message);
        assert.ok(Number.isInteger(bidSize) && bidSize > 0, message);
        assert.ok(Number.isInteger(askSize) && askSize > 0, message);
        // The price of a bond is for 100 nominal.
        const pricePer = instrument.ticker === 'AL30' ? 100 : 1;
        assert.equal(amount, Number(((last * step * 1_000) / pricePer).toFixed(2)));
        assert.ok(Number.isInteger(trades));
      }
    }
  }
});

test('a simulated book depends on seed, price and instant alone, and changes over time', () => {
  const [instrument = assert.fail()] = instruments;
  const price = { last: 7_410, volume: 1_000_000 };
  const at = (seed: number, instant: number): unknown =>
    new SimulatedBooks(seed).at(instrument, price, instant);
  assert.deepEqual(at(1, noon), at(1, noon));
  assert.notDeepEqual(at(1, noon), at(2, noon));
  assert.notDeepEqual(at(1, noon), at(1, noon + 2_000));
});

test('an instrument without a volume has no simulated book', () => {
  const [instrument = assert.fail()] = instruments;
  assert.equal(
    new SimulatedBooks(1).at(instrument, { last: 1, volume: undefined }, noon),
    undefined,
  );
});
