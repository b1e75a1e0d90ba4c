/** How many bytes the encoding is found from, when a text has so many. */
export const encodingBytes = 512;

/** Fewer pairs of bytes show nothing: a text of 8 bits may hold a zero. */
const pairsMin = 4;

/** Of ten pairs of bytes, how many must have the zero of UTF-16 in the same place. */
const zerosOfTenMin = 7;

/** The encoding of a text, as its first bytes say; `unknown` is UTF-8 or one of 8 bits. */
export type TextEncoding = 'utf-16le' | 'utf-16be' | 'unknown';

/**
 * The encoding of a text from its first {@link encodingBytes}: its byte order mark or, without one,
 * where the zeros are. Nearly every character of a price file is below U+0100, whose upper byte in
 * UTF-16 is zero; a text in UTF-8 or windows-1252 has no zeros.
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
