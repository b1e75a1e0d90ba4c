import type { Quote } from '../api/quote.ts';

/** The difference between the best offer and the best bid. */
export interface Spread {
  /** In the unit of the price. Below zero if the two cross, as in an auction. */
  readonly value: number;
  /** In percent of their middle. Undefined if that is not above zero. */
  readonly percent: number | undefined;
}

/** The spread of a quote. Undefined without a bid and an offer. */
export function spreadOf({ compra, venta }: Pick<Quote, 'compra' | 'venta'>): Spread | undefined {
  if (compra === undefined || venta === undefined) return undefined;
  const middle = (compra + venta) / 2;
  const value = venta - compra;
  return { value, percent: middle > 0 ? (value / middle) * 100 : undefined };
}
