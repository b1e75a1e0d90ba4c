import type { TimedAmount } from './solve-yield.ts';

/** How a price answers to its yield. */
export interface YieldMeasures {
  /** Macaulay's duration, in years. */
  readonly duration: number;
  /** The relative fall of the price for a rise of the yield by one. In years. */
  readonly modifiedDuration: number;
  /** The second derivative of the price by the yield, divided by the price. In years². */
  readonly convexity: number;
}

/** The measures of amounts at a yield, as a part of one, that compounds `compounding` times a year. */
export function measuresAt(
  amounts: readonly TimedAmount[],
  annualYield: number,
  compounding: number,
): YieldMeasures {
  const growth = 1 + annualYield / compounding;
  let price = 0;
  let first = 0;
  let second = 0;
  for (const { amount, years } of amounts) {
    const value = amount * growth ** (-compounding * years);
    price += value;
    first += years * value;
    second += years * (years + 1 / compounding) * value;
  }
  const duration = first / price;
  return {
    duration,
    modifiedDuration: duration / growth,
    convexity: second / (price * growth ** 2),
  };
}

/** The yield over one year of a yield that compounds several times a year, both as a part of one. */
export function effectiveYield(annualYield: number, compounding: number): number {
  return compounding === 1 ? annualYield : (1 + annualYield / compounding) ** compounding - 1;
}

/**
 * The rate of a month that compounds to a yield over one year. A month is 30 of 365 days; the Treasury counts
 * a twelfth of a year.
 */
export function monthlyRate(effective: number, monthInYears = 30 / 365): number {
  return (1 + effective) ** monthInYears - 1;
}

/** The annual rate of `couponsPerYear` equal periods that compounds to a yield over one year. */
export function nominalRate(effective: number, couponsPerYear: number): number {
  return couponsPerYear * ((1 + effective) ** (1 / couponsPerYear) - 1);
}
