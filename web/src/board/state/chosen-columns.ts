import { computed } from '@preact/signals';

import { storedValue } from '../../ui/stored-value.ts';
import { columnsOf, defaultFields, readFields } from '../../market/columns.ts';
import type { ColumnField } from '../../market/columns.ts';

/** The columns that the user chose, in order. The browser stores them. */
export const chosenFields = storedValue<readonly ColumnField[]>({
  name: 'pizarra.columns',
  initial: defaultFields,
  read: readFields,
});

/** The chosen columns. */
export const chosenColumns = computed(() => columnsOf(chosenFields.value));
