import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isSamePrice } from './same-price.ts';

function bothWays(a: number, b: number): boolean {
  assert.equal(isSamePrice(a, b), isSamePrice(b, a), `${a} and ${b}`);
  return isSamePrice(a, b);
}

test('a price and its value in single precision are the same price', () => {
  for (const [price, image] of [
    [93.89, 93.889999],
    [93.89, 93.88999938964844],
    [93.889999, 93.88999938964844],
    [387.35, 387.35001],
    [386.49, 386.48999],
    [1_284_939.4, 1_284_939.375],
    [97_208.17, 97_208.171875],
    [0.00003, 0.000029999999242136255],
  ] as const) {
    assert.ok(bothWays(price, image), `${price} and ${image}`);
  }
});

test('the error of a computation in double precision is not a difference', () => {
  assert.ok(bothWays(0.3, 0.1 + 0.2));
  assert.ok(bothWays(1500.55, 1500.5500000000002));
});

test('a tick is a difference, even where single precision is too coarse for it', () => {
  for (const [a, b] of [
    [93.89, 93.9],
    [93.89, 93.88],
    [100_000, 100_000.01],
    [1_000_000, 1_000_000.01],
    [200_000.1, 200_000.09],
    [1_284_939.38, 1_284_939.37],
    [1_284_939.4, 1_284_939.38],
    [1_500_000.2, 1_500_000.25],
    [150_000_000, 150_000_000.5],
    [20_000_000, 20_000_000.3],
    [1e21, 1.23e21],
    [0.1, 0.09999999],
    [0.00003, 0.000029999991],
    [3e-8, 3.01e-8],
    [0, 0.00001],
    [1, -1],
  ] as const) {
    assert.ok(!bothWays(a, b), `${a} and ${b}`);
  }
});

test('different prices with two decimals are never the same, and a price under 100,000 equals its value in single precision', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000_000_000 }),
      fc.integer({ min: 1, max: 20 }),
      (cents, ticks) => {
        const price = cents / 100;
        assert.ok(!bothWays(price, (cents + ticks) / 100));
        if (price < 100_000) assert.ok(bothWays(price, Math.fround(price)));
      },
    ),
  );
});

test('a computation may change a price by a relative 2 ** -49, and not by more', () => {
  const unit = 2 ** -52;
  assert.ok(bothWays(1.5, 1.5 + 12 * unit));
  assert.ok(!bothWays(1.5, 1.5 + 18 * unit));
  assert.ok(isSamePrice(2 ** 60, 2 ** 60 + 2 ** 11));
  assert.ok(!isSamePrice(2 ** 60, 2 ** 60 + 2 ** 12));
});
