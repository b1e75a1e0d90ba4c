/** Number of bytes from which the encoding is detected, or fewer for a shorter text. */
export const encodingBytes = 512;

/** Minimum number of byte pairs: fewer prove nothing, because an 8-bit text may contain a zero. */
const pairsMin = 4;

/** Minimum number of pairs, of ten, that must have the zero byte of UTF-16 at the same position. */
const zerosOfTenMin = 7;

/** The detected encoding. `unknown` is UTF-8 or an 8-bit encoding. */
export type TextEncoding = 'utf-16le' | 'utf-16be' | 'unknown';

/**
 * Detects the encoding of a text from its first {@link encodingBytes}: by its byte order mark, or
 * without one by the positions of zero bytes. Nearly every character of a price file is below
 * U+0100, so one of its two bytes in UTF-16 is zero. Text in UTF-8 or windows-1252 has no zero
 * bytes.
 */
export function encodingOf(start: Uint8Array): TextEncoding {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const pairs = Math.floor(Math.min(start.length, encodingBytes) / 2);
  let evenZeros = 0;
  let oddZeros = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    if (start[pair * 2] === 0) evenZeros += 1;
    if (start[pair * 2 + 1] === 0) oddZeros += 1;
  }
  const isMany = (zeros: number): boolean =>
    pairs >= pairsMin && zeros * 10 >= pairs * zerosOfTenMin;
  if (evenZeros === 0 && isMany(oddZeros)) return 'utf-16le';
  return oddZeros === 0 && isMany(evenZeros) ? 'utf-16be' : 'unknown';
}
