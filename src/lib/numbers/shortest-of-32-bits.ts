/** The maximum number of digits that a number of 32 bits needs. */
const digitsMax = 9;

/**
 * The shortest decimal of a number of 32 bits, and any other value as it is. Yahoo Finance computes the
 * prices of bars in 32 bits: 216.54 is sent as 216.5399932861328.
 */
export function shortestOf32Bits(value: unknown): unknown {
  if (typeof value !== 'number' || Math.fround(value) !== value) return value;
  for (let digits = 1; digits < digitsMax; digits += 1) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return value;
}
