/** Minimum number of decimals that single precision adds to a price. */
const decimalsAddedMin = 2;

/** Maximum relative error of a computation in double precision: a few units of 2^-52. */
const doubleNoise = 2 ** -49;

/**
 * Whether two numbers are the same price, written by programs of different precision. Some sources
 * store prices as 32-bit floats and print the result: 93.89 becomes 93.889999 or 93.88999938964844.
 *
 * They are the same price in two cases. Either one has at least two more decimals and equals the
 * other one rounded to single precision, to the last printed decimal. Or they differ by no more
 * than the error of a computation in double precision. Two different prices with the same number of
 * decimals are never the same, so a difference of one tick always counts, however large the prices.
 */
export function isSamePrice(a: number, b: number): boolean {
  if (Math.abs(a - b) <= Math.abs(a) * doubleNoise) return true;
  const [decimalsOfA, decimalsOfB] = [decimalsOf(a), decimalsOf(b)];
  return isImage(a, decimalsOfA, b, decimalsOfB) || isImage(b, decimalsOfB, a, decimalsOfA);
}

/** Whether the first number is the second one in single precision, printed with more decimals. */
function isImage(
  long: number,
  decimalsOfLong: number,
  short: number,
  decimalsOfShort: number,
): boolean {
  if (decimalsOfLong - decimalsOfShort < decimalsAddedMin) return false;
  const image = Math.fround(short);
  // Half a unit of the last decimal, plus the possible error of the division.
  const printed = 0.5 / 10 ** decimalsOfLong + Math.abs(image) * doubleNoise;
  return Math.abs(long - image) <= printed;
}

/** The number of decimals in a number's shortest text. It is negative from 1e21 on. */
export function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [, fraction = ''] = mantissa.split('.');
  return fraction.length - Number(exponent);
}
