const flashMs = 900;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Highlights an element for a moment, unless the user prefers reduced motion.
 *
 * It fades the opacity of a layer below the text, because the compositor does this without the main
 * thread. A fading background would repaint the whole table in every frame.
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
