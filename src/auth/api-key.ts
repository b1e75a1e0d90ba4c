import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { randomBase62, toBase62, type RandomBytes } from '../lib/text/base62.ts';

/** Where a client sends a key: in the header Authorization, or in the path of the URL (contract 5.5). */
export type KeyPlace = 'header' | 'url';

/** The beginning of a key says where it belongs, so that a scanner and a person can tell. */
const prefixes: Readonly<Record<KeyPlace, string>> = { header: 'pz_', url: 'pzc_' };

/**
 * An API key is `pz_` or `pzc_`, 30 random base-62 digits (178 bits), and six digits with the CRC-32
 * of everything before them. The prefix and the checksum let a scanner find a leaked key in public
 * code. They also let the service refuse a mistyped key without a look-up. Neither is secret, so
 * they are compared without constant time.
 */
const shape = /^(pzc?_)[0-9A-Za-z]{36}$/;

const randomDigits = 30;
const checksumDigits = 6;

/** Generates a new key. It is unique and cannot be guessed. */
export function generateKey(randomBytes: RandomBytes, place: KeyPlace = 'header'): string {
  const body = prefixes[place] + randomBase62(randomDigits, randomBytes);
  return body + checksumOf(body);
}

/**
 * Whether a text has the prefix, length, alphabet and checksum of a key.
 *
 * @param place where the key belongs; undefined for any place.
 */
export function isWellFormedKey(text: string, place?: KeyPlace): boolean {
  const prefix = shape.exec(text)?.[1];
  if (prefix === undefined || (place !== undefined && prefix !== prefixes[place])) return false;
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
