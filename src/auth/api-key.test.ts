import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { base62Digits } from '../lib/text/base62.ts';
import { generateKey, hashKey, isWellFormedKey } from './api-key.ts';
import { anyText } from '../../test/support/any-text.ts';

/** Keys whose random bytes come from fast-check, so that a failure reports its seed. */
const arbitraryKey = fc
  .uint8Array({ minLength: 60, maxLength: 60 })
  .map((bytes) => generateKey(sourceOf(bytes)));

test('a generated key is well formed and has the documented format', () => {
  fc.assert(
    fc.property(arbitraryKey, (key) => {
      assert.match(key, /^pz_[0-9A-Za-z]{36}$/);
      assert.ok(isWellFormedKey(key));
    }),
  );
});

test('the checksum is the CRC-32 of what precedes it, in base 62', () => {
  // Computed with zlib of Python: crc32(b"pz_" + b"0" * 30) = 0x5ace87d4.
  const key = generateKey((count) => new Uint8Array(count));
  assert.equal(key, `pz_${'0'.repeat(30)}1f6Nwi`);
});

test('10,000 generated keys are all different', () => {
  const keys = Array.from({ length: 10_000 }, () => generateKey(randomBytes));
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(keys.every((key) => isWellFormedKey(key)));
});

test('every character is equally likely: chi-square over 300,000 characters', () => {
  const source = seededBytes(2026);
  const counts = new Map<string, number>();
  for (let made = 0; made < 10_000; made += 1) {
    for (const character of generateKey(source).slice(3, 33)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const expected = 300_000 / 62;
  const chiSquare = base62Digits
    .split('')
    .map((digit) => ((counts.get(digit) ?? 0) - expected) ** 2 / expected)
    .reduce((sum, term) => sum + term, 0);
  // With 61 degrees of freedom, a fair source exceeds this value once in 1,000 runs. Bytes taken
  // modulo 62 without rejection give about 2,000.
  assert.ok(chiSquare < 100.9, `chi-square ${chiSquare}`);
});

test('every change of one character is refused', () => {
  fc.assert(
    fc.property(arbitraryKey, fc.nat({ max: 38 }), (key, position) => {
      for (const character of `${base62Digits}_-. é`) {
        if (character === key.charAt(position)) continue;
        const changed = key.slice(0, position) + character + key.slice(position + 1);
        assert.equal(isWellFormedKey(changed), false, changed);
      }
    }),
  );
});

test('every swap of two neighbouring characters is refused', () => {
  fc.assert(
    fc.property(arbitraryKey, (key) => {
      for (let left = 0; left < key.length - 1; left += 1) {
        const [a, b] = [key.charAt(left), key.charAt(left + 1)];
        if (a === b) continue;
        const swapped = key.slice(0, left) + b + a + key.slice(left + 2);
        assert.equal(isWellFormedKey(swapped), false, swapped);
      }
    }),
  );
});

test('a key that is shortened, extended or in another case is refused', () => {
  fc.assert(
    fc.property(arbitraryKey, (key) => {
      for (const wrong of [key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.slice(3)]) {
        assert.equal(isWellFormedKey(wrong), false);
      }
      assert.equal(isWellFormedKey(key.replace('pz_', 'PZ_')), false);
    }),
  );
});

test('the check refuses any other text, and never throws', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      assert.equal(isWellFormedKey(text), false);
    }),
  );
});

test('the hash is SHA-256 in lower-case hexadecimal', () => {
  // FIPS 180-2, appendix B.1.
  assert.equal(hashKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

function sourceOf(bytes: Uint8Array): (count: number) => Uint8Array {
  let used = 0;
  // When the bytes are used up, zeros follow, so that key generation always ends.
  return (count) => {
    const taken = new Uint8Array(count);
    taken.set(bytes.subarray(used, (used += count)));
    return taken;
  };
}

/** An unbiased and reproducible stream of bytes: SHA-256 of a counter. */
function seededBytes(seed: number): (count: number) => Uint8Array {
  let counter = 0;
  return (count) => {
    const chunks: Buffer[] = [];
    for (let length = 0; length < count; length += 32) {
      chunks.push(
        createHash('sha256')
          .update(`${seed}:${(counter += 1)}`)
          .digest(),
      );
    }
    return Buffer.concat(chunks).subarray(0, count);
  };
}

test('a key for URLs begins with pzc_, and neither kind of key is taken for the other', () => {
  const [header, url] = [generateKey(randomBytes), generateKey(randomBytes, 'url')];
  assert.match(url, /^pzc_[0-9A-Za-z]{36}$/);
  assert.ok(isWellFormedKey(header, 'header') && isWellFormedKey(url, 'url'));
  assert.ok(isWellFormedKey(header) && isWellFormedKey(url));
  assert.ok(!isWellFormedKey(header, 'url') && !isWellFormedKey(url, 'header'));
  // The checksum covers the prefix.
  assert.ok(!isWellFormedKey(header.replace('pz_', 'pzc_')));
  assert.ok(!isWellFormedKey(url.replace('pzc_', 'pz_')));
});
