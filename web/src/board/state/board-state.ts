import { computed } from '@preact/signals';

import type { Sorting } from '../../market/sort-rows.ts';
import { replaceRoute, route } from '../../places/location.ts';
import type { BoardPlace } from '../../places/route.ts';

// The filter and the order of a board are in its address only, so a link and the way back have them,
// and no copy can differ from it.
const place = computed((): BoardPlace | undefined => {
  const { value } = route;
  return value.page === 'board' || value.page === 'list' ? value : undefined;
});

/** What the tickers or names of the board that is shown contain. Empty for all. */
export const filter = computed(() => place.value?.filter ?? '');

/** The order of the board that is shown. Absent for that of its panel or list. */
export const sorting = computed(() => place.value?.sorting);

/** Filters the board that is shown. */
export function setFilter(text: string): void {
  if (text === filter.value) return;
  change(({ filter: _before, ...rest }) => (text === '' ? rest : { ...rest, filter: text }));
}

/** Orders the board that is shown. */
export function setSorting(wanted: Sorting | undefined): void {
  change(({ sorting: _before, ...rest }) => (wanted ? { ...rest, sorting: wanted } : rest));
}

function change(by: (before: BoardPlace) => BoardPlace): void {
  if (place.value !== undefined) replaceRoute(by(place.value));
}
