import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Noise } from './noise.ts';

const samples = 20_000;
const indices = Array.from({ length: samples }, (_, index) => index);

function momentsOf(values: readonly number[]): {
  readonly mean: number;
  readonly deviation: number;
} {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

function isNear(actual: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(actual - expected) < tolerance, `${actual} is not near ${expected}`);
}

test('the same address gives the same number; another seed, name or address gives another', () => {
  const noise = new Noise(1, 'a');
  const numbers = [
    noise.uniform(7, 8),
    noise.uniform(8, 7),
    noise.uniform(7, 9),
    new Noise(2, 'a').uniform(7, 8),
    new Noise(1, 'b').uniform(7, 8),
  ];
  assert.equal(new Set(numbers).size, numbers.length);
  assert.equal(new Noise(1, 'a').uniform(7, 8), numbers[0]);
});

test('uniform noise is uniformly distributed and independent of its neighbours', () => {
  const noise = new Noise(3, 'u');
  const values = indices.map((index) => noise.uniform(index));
  const { mean, deviation } = momentsOf(values);
  isNear(mean, 0.5, 0.01);
  isNear(deviation, Math.sqrt(1 / 12), 0.01);
  assert.ok(values.every((value) => value >= 0 && value < 1));
  const products = values
    .slice(1)
    .map((value, index) => (value - 0.5) * ((values[index] ?? 0) - 0.5));
  isNear(momentsOf(products).mean, 0, 0.002);
});

test('normal noise has mean 0 and standard deviation 1, and is always finite', () => {
  const noise = new Noise(4, 'n');
  const values = indices.map((index) => noise.normal(index));
  const { mean, deviation } = momentsOf(values);
  isNear(mean, 0, 0.02);
  isNear(deviation, 1, 0.02);
  assert.ok(values.every(Number.isFinite));
});

test('a bridge is 0 at both ends, has standard deviation 0.5 in the middle, and does not jump', () => {
  const noise = new Noise(5, 'b');
  const middles = indices.slice(0, 2000).map((index) => noise.bridge(index, 0.5));
  isNear(momentsOf(middles).deviation, 0.5, 0.03);
  for (let path = 0; path < 20; path += 1) {
    assert.equal(noise.bridge(path, 0), 0);
    isNear(noise.bridge(path, 1), 0, 1e-12);
    for (let step = 0; step < 1000; step += 1) {
      const jump = noise.bridge(path, (step + 1) / 1000) - noise.bridge(path, step / 1000);
      assert.ok(Math.abs(jump) < 0.3, `a jump of ${jump}`);
    }
  }
});

test('a path of a bridge has the points of the bridge', () => {
  const noise = new Noise(7, 'path');
  for (const steps of [1, 7, 390, 1440]) {
    const points = Array.from({ length: steps + 1 }, (_, step) =>
      noise.bridge(steps, step / steps),
    );
    assert.deepEqual([...noise.bridgePath(steps, steps)], points);
  }
});

test('growth goes from 0 to 1 without decreasing, in bursts', () => {
  const noise = new Noise(11, 'g');
  const steps = 1_440;
  const values = Array.from({ length: steps + 1 }, (_, step) => noise.growth(5, step / steps));
  assert.deepEqual([values[0], values.at(-1)], [0, 1]);
  const parts = values.slice(1).map((value, index) => (value - (values[index] ?? 0)) * steps);
  assert.ok(parts.every((part) => part > 0));
  const { mean, deviation } = momentsOf(parts);
  isNear(mean, 1, 1e-9);
  assert.ok(deviation > 0.4 && deviation < 2, `${deviation}`);
  assert.notEqual(noise.growth(6, 0.3), noise.growth(5, 0.3));
});
