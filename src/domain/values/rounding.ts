/**
 * Decimal arithmetic for prices. A price is written as a decimal ("6.45") and stored as the nearest
 * binary number. Rounding the binary number can round half a cent the wrong way: 1.005 would become
 * 1. So rounding works on the shortest decimal that identifies the stored value.
 */

/**
 * Rounds a number to a number of decimals, half away from zero, by its shortest decimal. Never
 * returns `-0`.
 *
 * @throws RangeError when the value is not finite or decimals is not 0 to 15.
 */
export function roundHalfAwayFromZero(value: number, decimals: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`cannot round ${value}`);
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 15) {
    throw new RangeError(`decimals must be 0 to 15, not ${decimals}`);
  }
  const text = String(value);
  const point = text.indexOf('.');
  // Most prices have few enough decimals and are returned unchanged.
  if (!text.includes('e')) {
    if (point === -1 || text.length - point - 1 <= decimals) return value === 0 ? 0 : value;
  }
  const { coefficient, exponent } = decimalParts(value);
  const shift = -exponent - decimals;
  if (shift <= 0) return value;
  const rounded = divideHalfAwayFromZero(coefficient, 10n ** BigInt(shift));
  return rounded === 0n ? 0 : Number(`${rounded}e-${decimals}`);
}

/** Number of significant digits of a positive price that its decimals would round to 0 (contract 2.1.8). */
const smallPriceDigits = 3;

/**
 * A price with a number of decimals. A positive one that would be rounded to 0 has three significant digits
 * instead.
 *
 * @throws RangeError when the value is not finite or decimals is not 0 to 15.
 */
export function roundPrice(value: number, decimals: number): number {
  const rounded = roundHalfAwayFromZero(value, decimals);
  return rounded === 0 && value > 0 ? Number(value.toPrecision(smallPriceDigits)) : rounded;
}

/**
 * A computed value without the digits after the 14th. They are the binary error of the sum, the product
 * or the quotient, and could move a change over a tie.
 */
export function withoutBinaryError(value: number): number {
  return Number(value.toPrecision(14));
}

/** A computed value with a number of decimals, rounded without its binary error. Null where there is none. */
export function roundComputed(
  value: number | null,
  decimals: number,
  round = roundHalfAwayFromZero,
): number | null {
  return value === null ? null : round(withoutBinaryError(value), decimals);
}

/** Maximum number of decimals of an adjusted value (contract 4.2.6). */
export const adjustedDecimals = 8;
const adjustedScale = 10 ** adjustedDecimals;

/**
 * Rounds a computed price or volume to 8 decimals. A positive value that would become 0 has three
 * significant digits instead. `NaN`, which stands for an unknown value, stays.
 *
 * Unlike {@link roundHalfAwayFromZero} it may round a tie either way: a quotient has a binary error
 * anyway. It takes a tenth of the time, on the hot path of adjusting series.
 */
export function roundAdjusted(value: number): number {
  const units = value * adjustedScale;
  // Up to 2^53 a number of units is exact, and the quotient is the number nearest to the decimal.
  if (units >= 0.5 && units < Number.MAX_SAFE_INTEGER) return Math.round(units) / adjustedScale;
  if (Number.isNaN(value)) return value;
  if (value > 0 && units < 0.5) return Number(value.toPrecision(smallPriceDigits));
  // Digits beyond the fifteenth are the binary error of the computation.
  return roundHalfAwayFromZero(Number(value.toPrecision(15)), adjustedDecimals);
}

/**
 * The change from a base to a value in percent (12 means 12 %), rounded half away from zero to two
 * decimals (contract 2.1.3). It is computed exactly, on the shortest decimals of the two numbers.
 * Null when the base is zero or either number is not finite.
 */
export function percentChange(base: number, value: number): number | null {
  const estimate = ((value - base) / Math.abs(base)) * 100;
  // It is not finite either when the base is zero, or when one of the two numbers is not finite.
  if (!Number.isFinite(estimate)) return null;
  if (isFarFromTie(estimate)) return roundEstimate(estimate);
  const [baseUnits, valueUnits] = onOneScale(base, value);
  const magnitude = baseUnits < 0n ? -baseUnits : baseUnits;
  const hundredths = divideHalfAwayFromZero((valueUnits - baseUnits) * 10_000n, magnitude);
  return hundredths === 0n ? 0 : Number(`${hundredths}e-2`);
}

/**
 * The change from a base to a value in points (the difference), rounded as in
 * {@link percentChange}. Null when either number or the difference is not finite.
 */
export function pointsChange(base: number, value: number): number | null {
  if (!Number.isFinite(base) || !Number.isFinite(value)) return null;
  const [baseUnits, valueUnits, exponent] = onOneScale(base, value);
  const difference = valueUnits - baseUnits;
  const shift = -exponent - 2;
  const hundredths =
    shift >= 0
      ? divideHalfAwayFromZero(difference, 10n ** BigInt(shift))
      : difference * 10n ** BigInt(-shift);
  const points = hundredths === 0n ? 0 : Number(`${hundredths}e-2`);
  return Number.isFinite(points) ? points : null;
}

/**
 * Whether binary arithmetic is certain to round a percentage to the same hundredth as exact
 * arithmetic. It is when the distance to the nearest half is far larger than the binary error,
 * which is a few units in the last place. Exact arithmetic takes twenty times longer, so it is used
 * only for the other percentages.
 */
function isFarFromTie(percent: number): boolean {
  const hundredths = Math.abs(percent) * 100;
  if (hundredths > 1e9) return false;
  const fraction = hundredths - Math.floor(hundredths);
  return Math.abs(fraction - 0.5) > 1e-5;
}

function roundEstimate(percent: number): number {
  const hundredths = Math.round(Math.abs(percent) * 100);
  if (hundredths === 0) return 0;
  return (percent < 0 ? -hundredths : hundredths) / 100;
}

function onOneScale(a: number, b: number): [bigint, bigint, number] {
  const first = decimalParts(a);
  const second = decimalParts(b);
  const exponent = Math.min(first.exponent, second.exponent);
  return [
    first.coefficient * 10n ** BigInt(first.exponent - exponent),
    second.coefficient * 10n ** BigInt(second.exponent - exponent),
    exponent,
  ];
}

/** The shortest decimal of a number, as coefficient × 10^exponent. */
function decimalParts(value: number): { coefficient: bigint; exponent: number } {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { coefficient: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function divideHalfAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend;
  const quotient = (magnitude * 2n + divisor) / (divisor * 2n);
  return dividend < 0n ? -quotient : quotient;
}
