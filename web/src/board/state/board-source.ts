import { effect } from '@preact/signals';

import { canonicalTickers, instruments } from '../../market/instruments.ts';
import { isBond } from '../../market/facts/instrument-facts.ts';
import { keepMembers, storedMembers } from '../../market/members.ts';
import { panels } from '../../market/panels.ts';
import type { Selection } from '../../market/stream/joined-selection.ts';
import { findList } from '../../market/lists/ticker-lists.ts';
import type { BoardPlace } from '../../places/route.ts';

/** The instruments of a board. */
export interface BoardSource {
  /** Identifies the board. Filter and sorting stay while it is the same. */
  readonly id: string;
  /** The title of the tab. */
  readonly title: string;
  readonly name: string;
  /** Undefined if there is nothing to select. */
  readonly selection: Selection | undefined;
  /** The tickers in the order of a list, or in that in which a panel is looked at. By default it is that of the panel. */
  readonly order: ((tickers: readonly string[]) => readonly string[]) | undefined;
}

/** The instruments of a place. */
export function sourceOf(place: BoardPlace): BoardSource {
  if (place.page === 'board') {
    const { panel } = place;
    const name = panels.find(({ value }) => value === panel)?.name ?? panel;
    const title = name === panel ? panel : `${panel}: ${name}`;
    const order = panel === 'IND' ? indicesFirst : undefined;
    return { id: panel, title, name, selection: { panel }, order };
  }
  const order = () => listTickers(place);
  const { name } = place;
  // The order of the request does not matter, so that a list can be reordered without another one.
  const tickers = order().toSorted();
  const selection = tickers.length === 0 ? undefined : { tickers };
  return { id: `lista ${name}`, title: name, name, selection, order };
}

/** The kinds of indices and rates in the order in which they are looked at. */
const kinds: readonly string[] = ['indice', 'tipo-de-cambio', 'riesgo-pais', 'brecha', 'tasa'];

/** The panel of indices, with the indices and dollars first. */
function indicesFirst(tickers: readonly string[]): readonly string[] {
  return tickers.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The next visit knows the kinds before its list of instruments is loaded, so that no row changes its place. */
effect(() => {
  for (const [kind, infos] of Map.groupBy(instruments.value.values(), ({ tipo }) => tipo)) {
    const known = new Set([...storedMembers(kind), ...infos.map(({ especie }) => especie)]);
    if (kinds.includes(kind)) keepMembers(kind, [...known]);
  }
});

function rankOf(ticker: string): number {
  const kind = instruments.value.get(ticker)?.tipo;
  return kinds.findIndex((one) => one === kind || storedMembers(one).includes(ticker));
}

/** The panels of bonds. */
const bondPanels: ReadonlySet<string> = new Set(['BONOS', 'BON']);

export function isBondPanel(panel: string): boolean {
  return bondPanels.has(panel);
}

/** Whether a board has bonds, and so a curve. */
export function hasBonds(place: BoardPlace): boolean {
  if (place.page === 'board') return isBondPanel(place.panel);
  const known = instruments.value;
  return listTickers(place).some((ticker) => isBond(known.get(ticker)));
}

/** The tickers of a list, of this browser or shared in an address. */
export function listTickers({ name, tickers }: BoardPlace & { readonly page: 'list' }) {
  return canonicalTickers(tickers ?? findList(name)?.tickers ?? []);
}
