import { computed, signal } from '@preact/signals';

import { columnsOf, readFields, type ColumnField } from '../../market/columns.ts';
import { storedValue } from '../../ui/stored-value.ts';
import { isBondPanel } from './board-source.ts';
import { shownBoard } from './board-state.ts';

/** The kinds of boards, each with columns of its own. A list of the user is `general`. */
export type BoardKind = 'general' | 'bonds' | 'receipts';

/** The columns of a new visitor, by kind. Where not all fit, the least important ones are left out. */
export const defaultFields: Readonly<Record<BoardKind, readonly ColumnField[]>> = {
  general: [
    'ultimo',
    'variacion',
    'rueda',
    'apertura',
    'minimo',
    'maximo',
    'anterior',
    'varMTD',
    'varYTD',
    'volumen',
    'hora',
  ],
  bonds: [
    'ultimo',
    'variacion',
    'rueda',
    'vencimiento',
    'tir',
    'durationModificada',
    'paridad',
    'moneda',
    'precioPor',
    'minimo',
    'maximo',
    'anterior',
    'varMTD',
    'varYTD',
    'volumen',
    'hora',
  ],
  receipts: [
    'ultimo',
    'variacion',
    'rueda',
    'ratio',
    'subyacente',
    'implicito',
    'minimo',
    'maximo',
    'anterior',
    'varMTD',
    'varYTD',
    'volumen',
    'hora',
  ],
};

function kindOf(panel: string): BoardKind {
  if (isBondPanel(panel)) return 'bonds';
  return panel === 'CED' ? 'receipts' : 'general';
}

/** The kind of the board that is shown. */
export const boardKind = computed((): BoardKind => {
  const { value: place } = shownBoard;
  return place?.page === 'board' ? kindOf(place.panel) : 'general';
});

/** The columns that the user chose for each kind, in order. The browser stores them. */
const stored = {
  general: fieldsStore('pizarra.columns', 'general'),
  bonds: fieldsStore('pizarra.columns.bonos', 'bonds'),
  receipts: fieldsStore('pizarra.columns.cedears', 'receipts'),
};

function fieldsStore(name: string, kind: BoardKind) {
  return storedValue<readonly ColumnField[]>({
    name,
    initial: defaultFields[kind],
    read: readFields,
  });
}

/** The fields of the chosen columns of the board that is shown. */
export const chosenFields = computed(() => stored[boardKind.value].value);

/** Chooses the columns of boards of the kind that is shown. */
export function chooseFields(fields: readonly ColumnField[]): void {
  stored[boardKind.value].value = fields;
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
