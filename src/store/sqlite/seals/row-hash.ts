import { crc32 } from 'node:zlib';

import type { ChangeOrigin } from '../../../domain/changes/version.ts';
import type { Row } from '../../sql/sql.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';

/** Hashes are added modulo 2^32. So a sum does not depend on the order of the rows, and a row can be taken out of it. */
export function addHash(sum: number, hash: number): number {
  return (sum + hash) >>> 0;
}

/** As {@link addHash}, for a row that is replaced or removed. */
export function removeHash(sum: number, hash: number): number {
  return (sum - hash) >>> 0;
}

const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

/**
 * The hash of numbers. Null, undefined and NaN have the same hash, because SQLite stores all of them as
 * null. So have 0 and -0.
 */
export function hashNumbers(...values: readonly (number | null | undefined)[]): number {
  let hash = 0;
  for (const value of values) {
    if (value === null || value === undefined || Number.isNaN(value)) {
      hash = mix(hash, absentWord);
      continue;
    }
    number[0] = value + 0;
    hash = mix(mix(hash, words[0] ?? 0), words[1] ?? 0);
  }
  return finish(hash);
}

/** Stands for a number that is absent. */
const absentWord = 0x7f_f8_00_01;

/** The hash of a text, after a hash of what precedes it. */
export function hashText(text: string, before = 0): number {
  return crc32(text, before);
}

/** The hash of a row of a small table. Its texts are hashed together, and so are its numbers. */
export function hashRow(row: Row): number {
  let texts = '';
  const numbers: (number | null)[] = [];
  for (const value of row) {
    if (typeof value === 'string') texts += `${value}\n`;
    else {
      // So that a text that moves to another column is noticed.
      if (value === null) texts += '\0';
      numbers.push(value as number | null);
    }
  }
  return hashNumbers(...numbers, hashText(texts));
}

/** One step of MurmurHash3 (32 bits). Every bit of the word affects all bits of the hash. */
function mix(hash: number, word: number): number {
  let key = Math.imul(word, 0xcc_9e_2d_51);
  key = (key << 15) | (key >>> 17);
  const mixed = hash ^ Math.imul(key, 0x1b_87_35_93);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6_54_6b_64) | 0;
}

function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A row of `changes`: id, instant, origin. */
export type ChangeRow = readonly [id: number, at: number, origin: ChangeOrigin];

/** The seal of a row of `changes`. */
export function sealOfChange([id, at, origin]: ChangeRow): number {
  return hashNumbers(id, at, hashText(origin));
}

/**
 * The seal of the row of a quote. A restore raises all versions by one number, so the version is added to the
 * hash of the rest.
 */
export function sealOfQuote([ticker, version, state]: QuoteRow): number {
  return addHash(hashText(state, hashText(ticker)), version % 2 ** 32);
}
