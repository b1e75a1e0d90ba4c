import { computed } from '@preact/signals';

import type { BoardPlace } from '../../places/route.ts';
import { isSmall, isSplit } from '../../ui/screen-size.ts';
import { storedValue } from '../../ui/stored-value.ts';
import { changeBeside } from '../state/board-state.ts';
import { readLayout, widthsPx, type PaneLayout } from './read-layout.ts';

/**
 * Whether the pane beside the table is open, and its width. The browser stores them. On a screen that
 * is wide enough for both it is open at first; on a smaller one the table has the whole width.
 */
const layout = storedValue<PaneLayout>({
  name: 'pizarra.pane',
  initial: { isOpenSplit: true, isOpenElsewhere: false, widthPx: widthsPx.initial },
  read: readLayout,
});

/** Whether the visitor wants the pane on screens as this one. */
const isWanted = computed(() => {
  const { isOpenSplit, isOpenElsewhere } = layout.value;
  return isSplit.value ? isOpenSplit : isOpenElsewhere;
});

/** The width of the pane, in pixels. */
export const paneWidth = computed(() => layout.value.widthPx);

/** Whether a place has the pane: the visitor wants it, or the address names an instrument for it. */
export function hasPane({ view, beside }: BoardPlace): boolean {
  return view === 'tabla' && canHavePane.value && (isWanted.value || beside !== undefined);
}

/** Whether the screen has room for a table and something beside it. */
export const canHavePane = computed(() => !isSmall.value);

/** Opens or closes the pane, now and on the next visit. */
export function setPane(isOpen: boolean): void {
  const name = isSplit.value ? 'isOpenSplit' : 'isOpenElsewhere';
  layout.value = { ...layout.value, [name]: isOpen };
  if (!isOpen) changeBeside(undefined);
}

/** Sets the width of the pane, in pixels. */
export function setPaneWidth(widthPx: number): void {
  layout.value = { ...layout.value, widthPx };
}
