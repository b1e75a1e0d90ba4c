import { computed } from '@preact/signals';

import { preference } from '../../ui/preferences.ts';
import { hasLowRows } from '../../ui/screen-size.ts';

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
