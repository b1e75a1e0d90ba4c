import { rulesOf, type Instrument } from '../../domain/instruments/instrument.ts';
import { roundHalfAwayFromZero, roundPrice } from '../../domain/values/rounding.ts';
import { shortestDecimal } from '../../lib/numbers/exact-number.ts';

/**
 * Formats a number as JSON: the shortest decimal of the stored value, rounded to a maximum number
 * of decimals, without an exponent below 1e21, and never `-0` (contract 2.1.7).
 *
 * @throws RangeError when the value is not finite: JSON cannot represent it.
 */
export function formatNumber(value: number, decimals: number): string {
  return shortestDecimal(roundHalfAwayFromZero(value, decimals));
}

/**
 * Formats a value of an instrument with the instrument's decimals. A positive price that would be
 * rounded to 0 has three significant digits instead (contract 2.1.8).
 *
 * @throws RangeError when the value is not finite.
 */
export function formatValue(value: number, instrument: Instrument): string {
  return shortestDecimal(shownValue(value, instrument));
}

/** The number that {@link formatValue} formats. */
export function shownValue(value: number, instrument: Instrument): number {
  const round = rulesOf(instrument).isPrice ? roundPrice : roundHalfAwayFromZero;
  return round(value, instrument.decimals);
}
