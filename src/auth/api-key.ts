import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { randomBase62, toBase62 } from '../lib/base62.ts';
import type { RandomBytes } from '../lib/base62.ts';

/**
 * An API key is `pz_`, 30 base-62 digits of chance (178 bits), and six that are the CRC-32 of all
 * before them. The prefix and the checksum let a scanner find a leaked key in public code, and let
 * us refuse a mistyped one without a look-up. Neither is a secret, so neither needs constant time.
 */
const shape = /^pz_[0-9A-Za-z]{36}$/;

const chanceDigits = 30;
const checksumDigits = 6;

/** The length of every key, in characters. */
export const keyLength = 'pz_'.length + chanceDigits + checksumDigits;

/** A new key; nobody has ever had it, and nobody can guess it. */
export function generateKey(randomBytes: RandomBytes): string {
  const body = `pz_${randomBase62(chanceDigits, randomBytes)}`;
  return body + checksumOf(body);
}

/** Whether a text could be a key: its prefix, length, alphabet and checksum are right. */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== keyLength || !shape.test(text)) return false;
  return checksumOf(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits);
}

/**
 * The SHA-256 of a key, as 64 lower-case hexadecimal digits: all of it that is ever stored. A slow
 * hash would add nothing, since there are 2^178 keys to try.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

function checksumOf(text: string): string {
  return toBase62(crc32(text), checksumDigits);
}
