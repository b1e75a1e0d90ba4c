import { signal } from '@preact/signals';

import breakpoints from '../styles/breakpoints.css?raw';

/** The width of a screen with one column, as the styles name it. */
const [, small] = /--small (\(.*\));/.exec(breakpoints) ?? [];
if (small === undefined) throw new Error('the styles do not name a small screen');
const query = matchMedia(small);

/** Whether the screen has one column, where the chart comes before its tools and the figures. */
export const isSmall = signal(query.matches);

query.addEventListener('change', () => {
  isSmall.value = query.matches;
});
