import type { Page } from 'playwright-core';

/** A control that is smaller than a finger needs, with its size. */
export type SmallTarget = string;

/** The least width and height of a target, in pixels (WCAG 2.5.5). */
const targetPx = 44;

/**
 * The controls of a page that are smaller than a finger needs. The target of a control is its label, or the
 * row or card that reacts to a touch in its place. Links within a text have the height of its lines. Data give the
 * tiles of the map and the rows of the wall their size, and the points of a curve their distance. The table has the
 * same links.
 */
export function smallTargets(page: Page): Promise<readonly SmallTarget[]> {
  return page.evaluate((least) => {
    const top = document.querySelector('dialog[open]') ?? document.body;
    const controls = top.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, summary, [role="option"]',
    );
    const found: string[] = [];
    for (const control of controls) {
      const isInText =
        control.matches('a, button') &&
        getComputedStyle(control).display === 'inline' &&
        control.closest('p, dd, dt, li, td, .prose') !== null;
      if (isInText || control.closest('.skip, .tile, .curve-point, .wall-rows') !== null) continue;
      if (!control.checkVisibility({ visibilityProperty: true })) continue;
      const target = control.closest<HTMLElement>('label, tbody tr, .chart-card') ?? control;
      const { width, height } = target.getBoundingClientRect();
      // Rounding of a zoomed length may take half a pixel.
      if (width === 0 || (width >= least - 0.5 && height >= least - 0.5)) continue;
      const text = (control.getAttribute('aria-label') ?? control.textContent ?? '').slice(0, 30);
      const size = `${Math.round(width)} × ${Math.round(height)}`;
      found.push(`${control.tagName} ${control.className} "${text}": ${size}`);
    }
    return found;
  }, targetPx);
}
