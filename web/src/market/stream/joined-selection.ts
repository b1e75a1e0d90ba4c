import { queryOf } from '../../../../clients/typescript/src/query.ts';
import type { Quote } from '../api/quote.ts';

/** The followed selection: a panel with the list of its members, or some instruments. */
export type Selection = ({ readonly panel: string } | { readonly tickers: readonly string[] }) & {
  /** Further fields of each quote (`campos` of the contract). */
  readonly fields?: readonly (keyof Quote)[];
};

/** Maximum number of tickers of a request (contract 4.1.6). */
const tickersMax = 500;

/** The tickers that some selections name, each once. Those beyond the limit of a request are left out. */
export function tickersOf(selections: readonly Selection[]): readonly string[] {
  const named = selections.flatMap((one) => ('tickers' in one ? one.tickers : []));
  return [...new Set(named)].slice(0, tickersMax);
}

/**
 * The query for several selections together: the panel of the first one that has a panel, the tickers and
 * the fields of all (contract 4.1.3). What comes first has room first.
 */
export function joinedQuery(selections: readonly Selection[]): string {
  const panel = selections.flatMap((one) => ('panel' in one ? [one.panel] : []))[0];
  const tickers = tickersOf(selections);
  const fields = [...new Set(selections.flatMap((one) => one.fields ?? []))];
  const parameters = {
    panel,
    especie: tickers.length === 0 ? undefined : tickers,
    campos: fields.length === 0 ? undefined : fields,
  };
  return queryOf(parameters).slice(1);
}

/** The parameters of one selection (`panel` or `especie`), without further fields. */
export function selectionQuery(selection: Selection): string {
  return joinedQuery([{ ...selection, fields: [] }]);
}
