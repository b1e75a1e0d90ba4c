/** Decimals that single precision adds to a price, at the least. */
const decimalsAddedMin = 2;

/** The part of a price that computing with it in double precision may change: a few units of 2^-52. */
const doubleNoise = 2 ** -49;

/**
 * Whether two numbers are one price, written by programs of different precision. Some sources hold
 * prices as 32-bit floats and print what that leaves of them: 93.89 becomes 93.889999 or
 * 93.88999938964844.
 *
 * They are one price when the one with more decimals, at least two more, is what single precision
 * makes of the other, to the last decimal that is printed; or when they differ only as a computation
 * in double precision makes them differ. Two prices with as many decimals as each other are never
 * one, so a difference of one tick is always a difference, however large the prices are.
 */
export function isSamePrice(a: number, b: number): boolean {
  if (a === b) return true;
  if (Math.abs(a - b) <= Math.abs(a) * doubleNoise) return true;
  if (Math.fround(a) !== Math.fround(b)) return false;
  const [decimalsOfA, decimalsOfB] = [decimalsOf(a), decimalsOf(b)];
  return decimalsOfA > decimalsOfB
    ? isImage(a, decimalsOfA, b, decimalsOfB)
    : isImage(b, decimalsOfB, a, decimalsOfA);
}

/** Whether a long number is what single precision makes of a short one. */
function isImage(
  long: number,
  decimalsOfLong: number,
  short: number,
  decimalsOfShort: number,
): boolean {
  if (decimalsOfLong - decimalsOfShort < decimalsAddedMin) return false;
  const image = Math.fround(short);
  // Half a unit of the last decimal, and what the division itself may be off by.
  const printed = 0.5 / 10 ** decimalsOfLong + Math.abs(image) * doubleNoise;
  return Math.abs(long - image) <= printed;
}

/** How many decimals the shortest text of a number has. */
function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const fraction = mantissa.split('.')[1]?.length ?? 0;
  return Math.max(0, fraction - Number(exponent));
}
