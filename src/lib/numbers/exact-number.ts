/**
 * Formats a number as JSON with all decimals of the stored value: without an exponent below 1e21, and never `-0`.
 *
 * @throws RangeError when the value is not finite: JSON cannot represent it.
 */
export function formatExactNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a JSON number`);
  return shortestDecimal(value);
}

/** The shortest decimal of a finite number. */
export function shortestDecimal(value: number): string {
  const text = String(value);
  // JavaScript writes an exponent below 1e-6 and from 1e21 on. Only the former is spelled out.
  const exponentAt = text.indexOf('e-');
  if (exponentAt === -1) return text;
  const [whole = '', fraction = ''] = text.slice(0, exponentAt).split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length) + fraction;
  const zeros = Number(text.slice(exponentAt + 2)) - 1;
  return `${sign}0.${'0'.repeat(zeros)}${digits}`;
}
