/** The digits of base 62, in the order of their values: the letters and digits of ASCII. */
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Where bytes of chance come from; an argument of whatever needs them. */
export type RandomBytes = (count: number) => Uint8Array;

/** Bytes from here on are thrown away: 248 is the last multiple of 62 that a byte can reach. */
const unbiasedBytes = 248;

/**
 * A natural number in base 62, padded with zeros to a length.
 *
 * @throws RangeError when the number is no natural number or has more digits than that.
 */
export function toBase62(value: number, length: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a natural: ${value}`);
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) {
    text = base62Digits.charAt(rest % 62) + text;
  }
  if (text.length > length) throw new RangeError(`${value} has more than ${length} digits`);
  return text.padStart(length, '0');
}

/** So many digits of chance, each of the 62 as likely as the others (5.95 bits each). */
export function randomBase62(length: number, randomBytes: RandomBytes): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < unbiasedBytes) text += base62Digits.charAt(byte % 62);
    }
  }
  return text;
}
