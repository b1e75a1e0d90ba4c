const flashMs = 900;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Lights an element up for a moment; not for those who asked for less motion. */
export function flash(element: Element, way: 'up' | 'down'): void {
  if (still.matches) return;
  const from = { backgroundColor: `var(--flash-${way})` };
  element.animate([from, { backgroundColor: 'transparent' }], {
    duration: flashMs,
    easing: 'ease-out',
  });
}
