import { signal } from '@preact/signals';

/** The width of a phone, as in the styles. */
const query = matchMedia('(max-width: 720px)');

/** Whether the screen is that of a phone, where the chart comes before its tools and the figures. */
export const isNarrow = signal(query.matches);

query.addEventListener('change', () => {
  isNarrow.value = query.matches;
});
