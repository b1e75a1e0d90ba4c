const flashMs = 900;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Lights an element up for a moment; not for those who asked for less motion.
 *
 * What fades is the opacity of a sheet below the text, because the compositor does that alone: a
 * fading background would have the whole table painted again in every frame.
 */
export function flash(element: HTMLElement, way: 'up' | 'down'): void {
  if (still.matches) return;
  element.dataset['flash'] = way;
  element.animate([{ opacity: 1 }, { opacity: 0 }], {
    pseudoElement: '::before',
    duration: flashMs,
    easing: 'ease-out',
  });
}
