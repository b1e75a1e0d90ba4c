/**
 * The terms of the repurchase agreements between traders of BYMA, in days, by ticker. Pesos only. One of one day ends
 * on the next business day.
 */
export const repoTerms: ReadonlyMap<string, number> = new Map([
  ['CAUCION 1D', 1],
  ['CAUCION 7D', 7],
  ['CAUCION 14D', 14],
  ['CAUCION 30D', 30],
]);
