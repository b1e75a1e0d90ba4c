import type { BondFigures } from '../api/quote.ts';
import { useRows, type Rows } from '../rows/use-rows.ts';

/** The figures of the bonds of a selection, by ticker. Undefined before the first response. */
export type Bonds = Rows<BondFigures>;

/**
 * The figures of the bonds of a selection (`/bonos`), while they are shown.
 *
 * @param query the selection (`panel` or `especie`) and the convention. Undefined to request nothing.
 */
export function useBonds(query: string | undefined, key: string): Bonds {
  return useRows(query === undefined ? undefined : `/bonos?${query}`, key, tickerOf);
}

function tickerOf({ especie }: BondFigures): string {
  return especie;
}
