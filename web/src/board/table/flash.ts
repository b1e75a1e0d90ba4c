/** Time for which a change is highlighted, and the last part of it, which is paler. In milliseconds. */
const flashMs = 900;
const fadingMs = 450;
/** Interval between two looks at what is highlighted, in milliseconds. */
const lookMs = 150;

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** The highlighted elements, with the time of `performance.now()` of the last change of each. */
const changedAt = new Map<HTMLElement, number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Highlights an element for a moment, unless the user prefers reduced motion.
 *
 * The colour changes in two steps. A fading colour or opacity would cost every frame: with a thousand changes a
 * second, most of the time of the main thread. An element that changes again and again stays as it is.
 */
export function flash(element: HTMLElement, way: 'up' | 'down'): void {
  if (still.matches) return;
  changedAt.set(element, performance.now());
  mark(element, way);
  timer ??= setTimeout(look, lookMs);
}

function look(): void {
  timer = undefined;
  const now = performance.now();
  for (const [element, at] of changedAt) {
    const way = element.dataset['flash']?.split('-')[0] ?? '';
    if (now - at >= flashMs) {
      changedAt.delete(element);
      delete element.dataset['flash'];
    } else if (now - at >= flashMs - fadingMs) mark(element, `${way}-fading`);
  }
  if (changedAt.size > 0) timer = setTimeout(look, lookMs);
}

/** Sets the attribute only if it changes, because each change costs styles. */
function mark(element: HTMLElement, text: string): void {
  if (element.dataset['flash'] !== text) element.dataset['flash'] = text;
}
