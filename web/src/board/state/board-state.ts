import { computed, signal } from '@preact/signals';

import type { Sorting } from '../../market/sort-rows.ts';
import { conventionOf } from '../../places/bond-convention.ts';
import { replaceRoute, route } from '../../places/location.ts';
import {
  formatRoute,
  instrumentRoute,
  type BoardPlace,
  type InstrumentPlace,
  type RangeCode,
} from '../../places/route.ts';
import { preference } from '../../ui/preferences.ts';
import { hasLowRows } from '../../ui/screen-size.ts';

/**
 * The board that is shown. Undefined while another page is. What is seen of it is in its address only, so
 * a link and the way back have it, and no copy can differ from it.
 */
export const shownBoard = computed((): BoardPlace | undefined => {
  const { value } = route;
  return value.page === 'board' || value.page === 'list' ? value : undefined;
});

/** What the tickers or names of the board that is shown contain. Empty for all. */
export const filter = computed(() => shownBoard.value?.filter ?? '');

/** The order of the board that is shown. Absent for that of its panel or list. */
export const sorting = computed(() => shownBoard.value?.sorting);

/** The currency of the board that is shown. */
export const currency = computed(() => shownBoard.value?.currency ?? 'original');

/** The page of an instrument of the board that is shown, in its currency and perhaps with its range. */
export function instrumentPage(ticker: string, range?: RangeCode): InstrumentPlace {
  return { ...instrumentRoute(ticker, range), currency: currency.value };
}

/** The address of {@link instrumentPage}. */
export function instrumentAddress(ticker: string, range?: RangeCode): string {
  return formatRoute(instrumentPage(ticker, range));
}

/** The convention of the figures of bonds on the board that is shown. */
export const convention = computed(() => conventionOf(shownBoard.value ?? {}));

/** Filters the board that is shown. */
export function setFilter(text: string): void {
  if (text === filter.value) return;
  change(({ filter: _before, ...rest }) => (text === '' ? rest : { ...rest, filter: text }));
}

/** Orders the board that is shown. */
export function setSorting(wanted: Sorting | undefined): void {
  change(({ sorting: _before, ...rest }) => (wanted ? { ...rest, sorting: wanted } : rest));
}

/** Changes the instrument beside the table that is shown. */
export function changeBeside(ticker: string | undefined): void {
  if (shownBoard.value?.beside === ticker) return;
  change(({ beside: _before, ...rest }) =>
    ticker === undefined ? rest : { ...rest, beside: ticker },
  );
}

function change(by: (before: BoardPlace) => BoardPlace): void {
  if (shownBoard.value !== undefined) replaceRoute(by(shownBoard.value));
}

/** How high the rows of a table are. */
export type Density = 'comfortable' | 'compact';

/** The choice of the person. Without one, the window decides. */
const chosen = preference<'auto' | Density>('pizarra.density', ['auto', 'comfortable', 'compact']);

/** The density of the table. */
export const density = computed((): Density => {
  if (chosen.value !== 'auto') return chosen.value;
  return hasLowRows.value ? 'compact' : 'comfortable';
});

/** Changes the density. The browser remembers it. */
export function chooseDensity(value: Density): void {
  chosen.value = value;
}

/** Whether the dialogs of the columns and of the list of the board are open. */
export const isColumnChoiceOpen = signal(false);
export const isListEditorOpen = signal(false);
