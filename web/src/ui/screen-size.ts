import { signal, type ReadonlySignal } from '@preact/signals';

import breakpoints from '../styles/breakpoints.css?raw';

/** Whether the screen has one column, where the chart comes before its tools and the figures. */
export const isSmall = screenIs('small');

/** Whether the screen is that of a phone, where tools are in a sheet. */
export const isNarrow = screenIs('narrow');

/** Whether the screen has room for an instrument beside the whole table. */
export const isSplit = screenIs('split');

/**
 * Whether high rows of a table would show fewer than 24, so that it begins with low ones. Fingers on a phone
 * need high rows.
 */
export const hasLowRows = screenIs('low-rows');

/** Whether the screen has a size that the styles name. */
function screenIs(name: string): ReadonlySignal<boolean> {
  const [, size] = new RegExp(`--${name} (\\(.*\\));`).exec(breakpoints) ?? [];
  if (size === undefined) throw new Error(`the styles name no size "${name}"`);
  const query = matchMedia(size);
  const is = signal(query.matches);
  query.addEventListener('change', () => {
    is.value = query.matches;
  });
  return is;
}
