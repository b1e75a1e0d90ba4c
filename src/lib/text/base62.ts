/** The digits of base 62, in the order of their values: the ASCII digits and letters. */
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `count` random bytes. Functions that need randomness take it as an argument. */
export type RandomBytes = (count: number) => Uint8Array;

/**
 * Bytes from this value on are discarded, so that every digit is equally likely: 248 is the largest
 * multiple of 62 that fits into a byte.
 */
const unbiasedBytes = 248;

/**
 * A natural number in base 62, padded with zeros to a length.
 *
 * @throws RangeError when the value is not a natural number, or has more than `length` digits.
 */
export function toBase62(value: number, length: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`not a natural number: ${value}`);
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) {
    text = base62Digits.charAt(rest % 62) + text;
  }
  if (text.length > length) throw new RangeError(`${value} has more than ${length} digits`);
  return text.padStart(length, '0');
}

/** Random base-62 digits. All digits are equally likely, so each one has 5.95 bits of entropy. */
export function randomBase62(length: number, randomBytes: RandomBytes): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < unbiasedBytes) text += base62Digits.charAt(byte % 62);
    }
  }
  return text;
}
