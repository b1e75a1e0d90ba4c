import type { Family } from './families.ts';

/** The outline of each family in a square from −7 to 7, so that no family depends on its colour. */
const outlines: Readonly<Record<Family, string>> = {
  'dolar-ny': 'M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z',
  'dolar-ar': 'M-5 -5H5V5H-5Z',
  bopreal: 'M0 -6.5L6.5 0L0 6.5L-6.5 0Z',
  on: 'M0 -6L6 5H-6Z',
  linked: 'M0 6L6 -5H-6Z',
  cer: 'M-2 -6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z',
  uva: 'M-3 -6H3L6.5 0L3 6H-3L-6.5 0Z',
  fija: 'M-6 -3.5L-3.5 -6L0 -2.5L3.5 -6L6 -3.5L2.5 0L6 3.5L3.5 6L0 2.5L-3.5 6L-6 3.5L-2.5 0Z',
  dual: 'M-6.5 -3.5H6.5V3.5H-6.5Z',
  variable: 'M-3.5 -6.5H3.5V6.5H-3.5Z',
  otra: 'M0 -6.5L6 -2L4 5.5H-4L-6 -2Z',
};

/** The marker of a family. */
export function Marker({ family }: { readonly family: Family }) {
  return (
    <svg class="marker" viewBox="-8 -8 16 16" aria-hidden="true">
      <path d={outlines[family]} />
    </svg>
  );
}
