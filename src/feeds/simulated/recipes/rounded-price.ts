/**
 * Rounds a price to five digits, with no decimals from 10,000 on and at least two below. A tie may go
 * either way, because simulated prices have no other origin. Exact rounding takes four times as long.
 */
export function roundedPrice(price: number, decimalsMax: number): number {
  const digits = Math.floor(Math.log10(price));
  const scale = 10 ** Math.min(digits >= 4 ? 0 : Math.max(2, 4 - digits), decimalsMax);
  return Math.round(price * scale) / scale;
}
