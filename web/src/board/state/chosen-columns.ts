import { computed, signal } from '@preact/signals';

import { columnsOf, type ColumnField } from '../../market/columns.ts';
import { storedColumns, type BoardKind } from '../../market/stored-columns.ts';
import { storedValue } from '../../ui/stored-value.ts';
import { isBondPanel } from './board-source.ts';
import { shownBoard } from './board-state.ts';

function kindOf(panel: string): BoardKind {
  if (isBondPanel(panel)) return 'bonos';
  return panel === 'CED' ? 'cedears' : 'general';
}

/** The kind of the board that is shown. */
export const boardKind = computed((): BoardKind => {
  const { value: place } = shownBoard;
  return place?.page === 'board' ? kindOf(place.panel) : 'general';
});

/** The fields of the chosen columns of the board that is shown. */
export const chosenFields = computed(() => storedColumns[boardKind.value].value);

/** Chooses the columns of boards of the kind that is shown. */
export function chooseFields(fields: readonly ColumnField[]): void {
  storedColumns[boardKind.value].value = fields;
}

/** The chosen columns. */
export const chosenColumns = computed(() => columnsOf(chosenFields.value));

/** The fields of the chosen columns that do not fit beside each other now. The table leaves them out. */
export const unfit = signal<readonly ColumnField[]>([]);

/** Whether the table shows the columns that do not fit too, and scrolls. The browser stores it. */
export const showsAll = storedValue({
  name: 'pizarra.columns.all',
  initial: false,
  read: (value) => (typeof value === 'boolean' ? value : undefined),
});
