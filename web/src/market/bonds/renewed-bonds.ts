import type { BondFigures } from '../api/quote.ts';

/**
 * The figures of a response, by ticker. Those that are equal to the ones before are the same objects, and
 * equal figures of all bonds are the same map, so that nothing is drawn again without a change.
 */
export function renewedBonds(
  before: ReadonlyMap<string, BondFigures> | undefined,
  rows: readonly BondFigures[],
): ReadonlyMap<string, BondFigures> {
  const next = new Map(
    rows.map((row) => {
      const known = before?.get(row.especie);
      const isEqual = known !== undefined && JSON.stringify(known) === JSON.stringify(row);
      return [row.especie, isEqual ? known : row] as const;
    }),
  );
  const isSame =
    before?.size === next.size && [...next].every(([ticker, row]) => before.get(ticker) === row);
  return isSame ? before : next;
}
