import { computed, signal } from '@preact/signals';

import { firstPanel } from '../market/first-panel.ts';
import { panels } from '../market/panels.ts';
import { storedValue } from '../ui/stored-value.ts';

/** The panel that the person chose last. The browser stores it. Empty before the first choice. */
const chosen = storedValue({
  name: 'pizarra.panel',
  initial: '',
  read: (value) => (typeof value === 'string' ? value : undefined),
});

/** The first panel with quotes, while the first panel of the board has none. */
const found = signal<string | undefined>(undefined);

/** The choice, if the service still has the panel. */
const valid = computed(() => {
  const { value } = chosen;
  return panels.some((panel) => panel.value === value) ? value : undefined;
});

/** The panel of an address that names none. */
export const homePanel = computed(() => valid.value ?? found.value ?? firstPanel);

/** Whether the person has chosen the panel. Then no other one is opened in its place. */
export const isPanelChosen = computed(() => valid.value !== undefined);

/** Remembers the choice of the person. */
export function choosePanel(panel: string): void {
  chosen.value = panel;
}

/** Opens a panel at addresses that name none. */
export function openInstead(panel: string): void {
  found.value = panel;
}
