/**
 * The terms of the repurchase agreements in pesos between traders of BYMA, in days, by ticker. An agreement of one day
 * ends on the next business day.
 */
export const repoTerms: ReadonlyMap<string, number> = new Map([
  ['CAUCION 1D', 1],
  ['CAUCION 7D', 7],
  ['CAUCION 14D', 14],
  ['CAUCION 30D', 30],
]);
