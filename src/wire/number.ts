import { rulesOf } from '../domain/instrument.ts';
import type { Instrument } from '../domain/instrument.ts';
import { roundHalfAwayFromZero } from '../domain/rounding.ts';

/** Significant digits of a price that is too small for the decimals of its instrument. */
const smallPriceDigits = 3;

/**
 * A number as JSON: the shortest decimal that names the stored value, rounded to at most so many
 * decimals, without an exponent below 1e21, and never `-0`.
 *
 * Source: decisions row 23.
 *
 * @throws RangeError when the value is not finite: JSON has no such number, and a quote must not.
 */
export function formatNumber(value: number, decimals: number): string {
  return shortestDecimal(roundHalfAwayFromZero(value, decimals));
}

/**
 * A value of an instrument, as {@link formatNumber} with its decimals. A positive price that they
 * would round to 0 is written with three significant digits.
 *
 * Sources: decisions rows 23 and 45.
 *
 * @throws RangeError when the value is not finite.
 */
export function formatValue(value: number, instrument: Instrument): string {
  const text = formatNumber(value, instrument.decimals);
  if (text !== '0' || value <= 0 || !rulesOf(instrument).isPrice) return text;
  return shortestDecimal(Number(value.toPrecision(smallPriceDigits)));
}

/** As {@link formatNumber}, with all the decimals that the stored value has. */
export function formatExactNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a JSON number`);
  return shortestDecimal(value);
}

function shortestDecimal(value: number): string {
  const text = String(value);
  // JavaScript turns to exponents below 1e-6 and from 1e21 on; only the small ones are spelled out.
  const exponentAt = text.indexOf('e-');
  if (exponentAt === -1) return text;
  const [whole = '', fraction = ''] = text.slice(0, exponentAt).split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length) + fraction;
  const zeros = Number(text.slice(exponentAt + 2)) - 1;
  return `${sign}0.${'0'.repeat(zeros)}${digits}`;
}
