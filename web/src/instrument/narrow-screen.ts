import { signal } from '@preact/signals';

import breakpoints from '../styles/breakpoints.css?raw';

/** The width of a phone, as the styles name it. */
const [, small = ''] = /--small (\(.*\));/.exec(breakpoints) ?? [];
const query = matchMedia(small);

/** Whether the screen is that of a phone, where the chart comes before its tools and the figures. */
export const isNarrow = signal(query.matches);

query.addEventListener('change', () => {
  isNarrow.value = query.matches;
});
