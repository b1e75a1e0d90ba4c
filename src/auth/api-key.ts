import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { randomBase62, toBase62 } from '../lib/text/base62.ts';
import type { RandomBytes } from '../lib/text/base62.ts';

/**
 * An API key is `pz_`, 30 random base-62 digits (178 bits), and six digits with the CRC-32 of
 * everything before them. The prefix and the checksum let a scanner find a leaked key in public
 * code. They also let the service refuse a mistyped key without a look-up. Neither is secret, so
 * they are compared without constant time.
 */
const shape = /^pz_[0-9A-Za-z]{36}$/;

const randomDigits = 30;
const checksumDigits = 6;

/** The length of every key, in characters. */
export const keyLength = 'pz_'.length + randomDigits + checksumDigits;

/** Generates a new key. It is unique and cannot be guessed. */
export function generateKey(randomBytes: RandomBytes): string {
  const body = `pz_${randomBase62(randomDigits, randomBytes)}`;
  return body + checksumOf(body);
}

/** Whether a text has the prefix, length, alphabet and checksum of a key. */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== keyLength || !shape.test(text)) return false;
  return checksumOf(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits);
}

/**
 * The SHA-256 of a key, as 64 lower-case hexadecimal digits. Only this hash of a key is stored. A
 * slow password hash is not needed, because a key has 178 random bits.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

function checksumOf(text: string): string {
  return toBase62(crc32(text), checksumDigits);
}
