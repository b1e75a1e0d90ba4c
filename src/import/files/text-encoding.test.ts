import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodingBytes, encodingOf } from './text.ts';

test('both bytes of a byte order mark indicate the encoding, and one of them does not', () => {
  assert.equal(encodingOf(Uint8Array.of(0xff, 0xfe)), 'utf-16le');
  assert.equal(encodingOf(Uint8Array.of(0xfe, 0xff)), 'utf-16be');
  for (const bytes of [[], [0xff], [0xfe, 0xfe], [0xff, 0xff], [0xff, 0], [0, 0xfe], [0xfe, 0]]) {
    assert.equal(encodingOf(Uint8Array.from(bytes)), 'unknown', String(bytes));
  }
});

/** Pairs of bytes, a number of which have a zero in the upper byte of UTF-16LE. */
function pairs(count: number, zeros: number): Uint8Array {
  return Uint8Array.from({ length: count * 2 }, (_, at) =>
    at % 2 === 1 && at < zeros * 2 ? 0 : 65,
  );
}

const swapped = (bytes: Uint8Array) => Buffer.from(bytes).swap16();

test('seven zeros of ten at one position indicate UTF-16 without a mark, and six do not', () => {
  for (const [count, zeros] of [
    [4, 4],
    [4, 3],
    [10, 7],
    [256, 180],
  ] as const) {
    assert.equal(encodingOf(pairs(count, zeros)), 'utf-16le', `${zeros} of ${count}`);
    assert.equal(encodingOf(swapped(pairs(count, zeros))), 'utf-16be', `${zeros} of ${count}`);
  }
  for (const [count, zeros] of [
    [3, 3],
    [4, 2],
    [10, 6],
    [256, 179],
  ] as const) {
    assert.equal(encodingOf(pairs(count, zeros)), 'unknown', `${zeros} of ${count}`);
    assert.equal(encodingOf(swapped(pairs(count, zeros))), 'unknown', `${zeros} of ${count}`);
  }
});

test('zeros at both positions are not UTF-16, and only the first bytes count', () => {
  assert.equal(encodingOf(new Uint8Array(20)), 'unknown');
  const one = pairs(10, 10);
  one[4] = 0;
  assert.equal(encodingOf(one), 'unknown');
  assert.equal(encodingOf(swapped(one)), 'unknown');
  const start = pairs(encodingBytes / 2, encodingBytes / 2);
  assert.equal(encodingOf(Buffer.concat([start, Buffer.alloc(5_000, 65)])), 'utf-16le');
});

test('the zeros may be in any of the pairs', () => {
  const last = Uint8Array.of(65, 66, 65, 0, 65, 0, 65, 0);
  assert.equal(encodingOf(last), 'utf-16le');
  assert.equal(encodingOf(swapped(last)), 'utf-16be');
});
